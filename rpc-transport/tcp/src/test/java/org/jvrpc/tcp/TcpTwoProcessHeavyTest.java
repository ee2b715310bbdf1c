package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.HeavyContract;

class TcpTwoProcessHeavyTest extends HeavyContract implements TwoTcpProcesses {
}
