package org.jvrpc.softrnic;

import org.jvrpc.verbs.contract.QueuePairContract;

/** Both QPs on one device. */
final class LoopbackContractTest extends QueuePairContract implements ShmUnderTest {

    @Override
    public boolean oneDevice() {
        return true;
    }
}
