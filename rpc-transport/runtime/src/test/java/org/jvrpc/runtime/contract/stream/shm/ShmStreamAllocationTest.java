package org.jvrpc.runtime.contract.stream.shm;

import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.stream.StreamAllocationContract;

class ShmStreamAllocationTest extends StreamAllocationContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
