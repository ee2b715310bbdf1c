package org.jvrpc.runtime.retry;

import org.jvrpc.runtime.ShmFolder;

class ShmRetryTest extends RetryContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
