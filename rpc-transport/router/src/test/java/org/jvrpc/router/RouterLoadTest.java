package org.jvrpc.router;

import org.jvrpc.runtime.contract.LoadContract;

class RouterLoadTest extends LoadContract implements RouterRpcUnderTest {
}
