package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.MessagePauseContract;

class TcpTwoProcessMessagePauseTest extends MessagePauseContract implements TwoTcpProcesses {
}
