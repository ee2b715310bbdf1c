package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.InterceptorContract;

class InprocInterceptorTest extends InterceptorContract implements InprocUnderTest {
}
