package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.InterceptorContract;

class ShmInterceptorTest extends InterceptorContract implements ShmUnderTest {
}
