package org.jvrpc.runtime.contract.stream.shm;

import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.stream.StreamRefusalContract;

class ShmStreamRefusalTest extends StreamRefusalContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
