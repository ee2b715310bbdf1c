package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.LoadContract;

class RouterLoadTest extends LoadContract implements RouterRpcUnderTest {
}
