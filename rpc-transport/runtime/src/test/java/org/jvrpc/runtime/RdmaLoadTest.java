package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LoadContract;

@NeedsRdmaDevices
class RdmaLoadTest extends LoadContract implements RdmaUnderTest {
}
