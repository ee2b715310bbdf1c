package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.DeadlineContract;

@NeedsRdmaDevices
class RdmaDeadlineTest extends DeadlineContract {

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
