package org.jvrpc.router.rpc;

import org.jvrpc.router.SharedRouters;
import org.jvrpc.runtime.contract.CallContract;

/** Calls from a tenant of one host to one of another. Run by hand: on two busy processors it takes a minute. */
final class RouterTwoHostsCalls extends CallContract implements RouterRpcUnderTest {

    @Override
    public String newAddress() {
        return SharedRouters.get().address() + "?dir=" + SharedRouters.get().dir(true);
    }

    @Override
    public String clientAddress(String serverAddress) {
        SharedRouters routers = SharedRouters.get();
        return serverAddress.replace(routers.dir(true).toString(), routers.dir(false).toString());
    }
}
