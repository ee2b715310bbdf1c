package org.jvrpc.runtime.contract.stream.shm;

import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.stream.StreamWaitContract;

class ShmStreamWaitTest extends StreamWaitContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
