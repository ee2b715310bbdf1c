package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.InterceptorContract;

class TcpInterceptorTest extends InterceptorContract implements TcpUnderTest {
}
