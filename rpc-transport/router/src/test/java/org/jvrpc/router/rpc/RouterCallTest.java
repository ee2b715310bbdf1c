package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.CallContract;

class RouterCallTest extends CallContract implements RouterRpcUnderTest {
}
