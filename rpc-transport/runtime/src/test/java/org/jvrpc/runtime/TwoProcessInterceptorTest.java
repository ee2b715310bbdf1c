package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.InterceptorContract;

class TwoProcessInterceptorTest extends InterceptorContract implements TwoProcesses {
}
