package org.jvrpc.router;

import org.jvrpc.runtime.contract.HeavyContract;

class RouterHeavyTest extends HeavyContract implements RouterRpcUnderTest {
}
