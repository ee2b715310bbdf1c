package org.jvrpc.router;

import org.jvrpc.runtime.contract.BadInputContract;

class RouterBadInputTest extends BadInputContract implements RouterRpcUnderTest {
}
