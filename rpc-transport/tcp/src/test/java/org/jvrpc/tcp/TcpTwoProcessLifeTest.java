package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.LifeContract;

class TcpTwoProcessLifeTest extends LifeContract implements TwoTcpProcesses {
}
