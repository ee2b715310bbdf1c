package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CallContract;

class ShmCallTest extends CallContract {

    @Override
    protected String newAddress() {
        return ShmFolder.address();
    }
}
