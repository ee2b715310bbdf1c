package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessagePauseContract;

@NeedsRdmaDevices
class RdmaMessagePauseTest extends MessagePauseContract implements RdmaUnderTest {
}
