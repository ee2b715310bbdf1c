package org.jvrpc.runtime.retry;

import org.jvrpc.runtime.ShmFolder;

class ShmHopTest extends HopContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
