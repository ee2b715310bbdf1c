package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.LifeContract;

class RouterLifeTest extends LifeContract implements RouterRpcUnderTest {
}
