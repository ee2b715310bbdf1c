package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.HeavyContract;

@NeedsRdmaDevices
class RdmaHeavyTest extends HeavyContract implements RdmaUnderTest {
}
