package org.jvrpc.runtime.contract.stream.shm;

import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.stream.StreamMannersContract;

class ShmStreamMannersTest extends StreamMannersContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
