package org.jvrpc.router;

import org.jvrpc.runtime.contract.LifeContract;

class RouterLifeTest extends LifeContract implements RouterRpcUnderTest {
}
