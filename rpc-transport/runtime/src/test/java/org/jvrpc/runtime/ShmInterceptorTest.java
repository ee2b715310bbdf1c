package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.InterceptorContract;

class ShmInterceptorTest extends InterceptorContract {

    @Override
    protected String newAddress() {
        return ShmFolder.address();
    }
}
