package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.CountersContract;

class RouterCountersTest extends CountersContract implements RouterRpcUnderTest {
}
