package org.jvrpc.runtime.contract.beside;

import org.jvrpc.runtime.ShmFolder;

class ShmStreamTrailersTest extends StreamTrailersContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
