package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.RpcUnderTest;

/** Shared memory under the contract. */
interface ShmUnderTest extends RpcUnderTest {

    @Override
    default String newAddress() {
        return ShmFolder.address();
    }
}
