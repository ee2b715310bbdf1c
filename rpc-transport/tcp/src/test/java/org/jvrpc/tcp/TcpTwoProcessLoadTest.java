package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.LoadContract;

class TcpTwoProcessLoadTest extends LoadContract implements TwoTcpProcesses {
}
