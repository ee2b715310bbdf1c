package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.MessageContract;

class TcpTwoProcessMessageTest extends MessageContract implements TwoTcpProcesses {
}
