package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.OffloadContract;

class RoceOffloadTest extends OffloadContract implements RoceUnderTest {

    @Override
    protected int callsOfThread() {
        return 2_000;
    }
}
