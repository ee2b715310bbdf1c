package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.RpcUnderTest;

/** Two devices of rxe under the contract, of which the servers have one and the clients the other. */
interface RdmaUnderTest extends RpcUnderTest {

    @Override
    default String newAddress() {
        return Rdma.address();
    }

    @Override
    default String clientAddress(String serverAddress) {
        return Rdma.from(serverAddress);
    }

    @Override
    default String clientHost() {
        return Rdma.CLIENTS;
    }

    @Override
    default int slower() {
        return Rdma.SLOWER;
    }

    /** What an emulated machine moves in a second or two. */
    @Override
    default long longestBody() {
        return 16L << 20;
    }
}
