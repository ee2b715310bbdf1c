package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LoadContract;

@NeedsRdmaDevices
class RdmaLoadTest extends LoadContract {

    @Override
    protected String newAddress() {
        return Rdma.address();
    }

    @Override
    protected String clientAddress(String serverAddress) {
        return Rdma.from(serverAddress);
    }

    @Override
    protected int slower() {
        return Rdma.SLOWER;
    }
}
