package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CallContract;

@NeedsRdmaDevices
class RdmaCallTest extends CallContract implements RdmaUnderTest {
}
