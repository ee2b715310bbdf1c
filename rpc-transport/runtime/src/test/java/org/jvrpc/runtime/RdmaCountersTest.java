package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CountersContract;

@NeedsRdmaDevices
class RdmaCountersTest extends CountersContract implements RdmaUnderTest {
}
