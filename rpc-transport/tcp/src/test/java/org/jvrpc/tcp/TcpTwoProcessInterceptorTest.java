package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.InterceptorContract;

class TcpTwoProcessInterceptorTest extends InterceptorContract implements TwoTcpProcesses {
}
