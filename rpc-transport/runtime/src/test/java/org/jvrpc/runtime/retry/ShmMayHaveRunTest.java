package org.jvrpc.runtime.retry;

import org.jvrpc.runtime.ShmFolder;

class ShmMayHaveRunTest extends MayHaveRunContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
