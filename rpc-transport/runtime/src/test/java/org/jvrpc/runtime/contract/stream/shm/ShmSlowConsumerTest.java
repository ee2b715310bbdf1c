package org.jvrpc.runtime.contract.stream.shm;

import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.stream.SlowConsumerContract;

class ShmSlowConsumerTest extends SlowConsumerContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
