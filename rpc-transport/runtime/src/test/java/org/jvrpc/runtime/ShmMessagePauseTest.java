package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessagePauseContract;

class ShmMessagePauseTest extends MessagePauseContract {

    @Override
    protected String newAddress() {
        return ShmFolder.address();
    }
}
