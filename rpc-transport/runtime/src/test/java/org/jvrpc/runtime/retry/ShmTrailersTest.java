package org.jvrpc.runtime.retry;

import org.jvrpc.runtime.ShmFolder;

class ShmTrailersTest extends TrailersContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
