package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessagePauseContract;

@NeedsRdmaDevices
class RdmaMessagePauseTest extends MessagePauseContract {

    @Override
    protected String newAddress() {
        return Rdma.address();
    }

    @Override
    protected String clientAddress(String serverAddress) {
        return Rdma.from(serverAddress);
    }

    @Override
    protected String clientHost() {
        return Rdma.CLIENTS;
    }

    @Override
    protected int slower() {
        return Rdma.SLOWER;
    }
}
