package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessageContract;

@NeedsRdmaDevices
class RdmaMessageTest extends MessageContract implements RdmaUnderTest {
}
