package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.MessageContract;

class TcpMessageTest extends MessageContract implements TcpUnderTest {
}
