package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.HeavyContract;

class RouterHeavyTest extends HeavyContract implements RouterRpcUnderTest {
}
