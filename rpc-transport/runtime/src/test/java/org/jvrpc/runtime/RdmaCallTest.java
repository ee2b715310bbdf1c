package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CallContract;

@NeedsRdmaDevices
class RdmaCallTest extends CallContract {

    @Override
    protected String newAddress() {
        return Rdma.address();
    }

    @Override
    protected String clientAddress(String serverAddress) {
        return Rdma.from(serverAddress);
    }

    /** What an emulated machine moves in a second or two. */
    @Override
    protected long longestBody() {
        return 16L << 20;
    }

    @Override
    protected int slower() {
        return Rdma.SLOWER;
    }
}
