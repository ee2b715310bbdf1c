package org.jvrpc.runtime.contract.stream.shm;

import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.stream.StreamHopContract;

class ShmStreamHopTest extends StreamHopContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
