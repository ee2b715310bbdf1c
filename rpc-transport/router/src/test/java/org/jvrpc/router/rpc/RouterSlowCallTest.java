package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.CallContract;

/** Calls of tenants whose doorbells travel by their sockets. */
class RouterSlowCallTest extends CallContract implements RouterRpcUnderTest {

    @Override
    public String newAddress() {
        return RouterRpcUnderTest.super.newAddress() + "&path=slow";
    }
}
