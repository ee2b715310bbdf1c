package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LoadContract;

class ShmLoadTest extends LoadContract {

    @Override
    protected String newAddress() {
        return ShmFolder.address();
    }
}
