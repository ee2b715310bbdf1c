package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.MessagePauseContract;

class InprocMessagePauseTest extends MessagePauseContract implements InprocUnderTest {
}
