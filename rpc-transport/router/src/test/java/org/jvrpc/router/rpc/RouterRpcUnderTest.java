package org.jvrpc.router.rpc;

import org.jvrpc.router.SharedRouter;
import org.jvrpc.router.TestRouter;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** Calls from one tenant to another through a router in this process. */
interface RouterRpcUnderTest extends RpcUnderTest {

    @Override
    default String newAddress() {
        TestRouter router = SharedRouter.get();
        return router.address(0) + "?dir=" + router.dir("one");
    }

    @Override
    default String clientAddress(String serverAddress) {
        TestRouter router = SharedRouter.get();
        return serverAddress.replace(router.dir("one").toString(), router.dir("two").toString());
    }

    @Override
    default String clientHost() {
        return "10.77.0.2";
    }

    @Override
    default int slower() {
        return 2;
    }

    @Override
    default long longestBody() {
        return 1 << 20;
    }
}
