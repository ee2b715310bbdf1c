package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.OffloadContract;

class ShmOffloadTest extends OffloadContract {

    @Override
    protected String newAddress() {
        return ShmFolder.address();
    }
}
