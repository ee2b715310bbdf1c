package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.InterceptorContract;

class TlsInterceptorTest extends InterceptorContract implements TlsUnderTest {
}
