package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.BadInputContract;

class TcpTwoProcessBadInputTest extends BadInputContract implements TwoTcpProcesses {
}
