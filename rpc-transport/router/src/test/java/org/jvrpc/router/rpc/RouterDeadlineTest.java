package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.DeadlineContract;

class RouterDeadlineTest extends DeadlineContract implements RouterRpcUnderTest {
}
