package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.DeadlineContract;

class TcpTwoProcessDeadlineTest extends DeadlineContract implements TwoTcpProcesses {
}
