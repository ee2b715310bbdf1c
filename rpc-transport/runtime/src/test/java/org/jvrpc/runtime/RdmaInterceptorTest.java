package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.InterceptorContract;

@NeedsRdmaDevices
class RdmaInterceptorTest extends InterceptorContract implements RdmaUnderTest {
}
