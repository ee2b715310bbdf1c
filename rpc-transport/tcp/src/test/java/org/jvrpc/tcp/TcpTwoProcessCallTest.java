package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.CallContract;

class TcpTwoProcessCallTest extends CallContract implements TwoTcpProcesses {
}
