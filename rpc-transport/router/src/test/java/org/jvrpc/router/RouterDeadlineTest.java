package org.jvrpc.router;

import org.jvrpc.runtime.contract.DeadlineContract;

class RouterDeadlineTest extends DeadlineContract implements RouterRpcUnderTest {
}
