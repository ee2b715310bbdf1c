package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.InterceptorContract;

class RoceInterceptorTest extends InterceptorContract implements RoceUnderTest {
}
