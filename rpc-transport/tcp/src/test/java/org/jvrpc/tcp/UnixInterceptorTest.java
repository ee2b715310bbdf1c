package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.InterceptorContract;

class UnixInterceptorTest extends InterceptorContract implements UnixUnderTest {
}
