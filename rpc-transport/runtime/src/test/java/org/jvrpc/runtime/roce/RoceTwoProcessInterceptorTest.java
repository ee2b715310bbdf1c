package org.jvrpc.runtime.roce;

import org.jvrpc.runtime.contract.InterceptorContract;

class RoceTwoProcessInterceptorTest extends InterceptorContract implements TwoRoceProcesses {
}
