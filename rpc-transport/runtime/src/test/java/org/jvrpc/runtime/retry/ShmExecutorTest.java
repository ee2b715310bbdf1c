package org.jvrpc.runtime.retry;

import org.jvrpc.runtime.ShmFolder;

class ShmExecutorTest extends ExecutorContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
