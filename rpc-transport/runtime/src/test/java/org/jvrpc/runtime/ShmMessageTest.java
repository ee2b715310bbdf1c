package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessageContract;

class ShmMessageTest extends MessageContract {

    @Override
    protected String newAddress() {
        return ShmFolder.address();
    }
}
