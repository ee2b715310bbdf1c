package org.jvrpc.router.rpc;

import org.jvrpc.router.SharedRouters;

/** Calls from a tenant of one host to one of another, through the routers of both. */
interface RouterTwoHostsUnderTest extends RouterRpcUnderTest {

    @Override
    default String newAddress() {
        return SharedRouters.get().address() + "?dir=" + SharedRouters.get().dir(true);
    }

    @Override
    default String clientAddress(String serverAddress) {
        SharedRouters routers = SharedRouters.get();
        return serverAddress.replace(routers.dir(true).toString(), routers.dir(false).toString());
    }

    @Override
    default int slower() {
        return 4;
    }
}
