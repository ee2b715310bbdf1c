package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.MessagePauseContract;

class TcpMessagePauseTest extends MessagePauseContract implements TcpUnderTest {
}
