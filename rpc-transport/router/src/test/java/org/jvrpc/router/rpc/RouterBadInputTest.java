package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.BadInputContract;

class RouterBadInputTest extends BadInputContract implements RouterRpcUnderTest {
}
