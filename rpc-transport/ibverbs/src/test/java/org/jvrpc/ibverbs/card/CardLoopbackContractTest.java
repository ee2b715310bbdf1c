package org.jvrpc.ibverbs.card;

import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract of all devices, both QPs on one card. */
final class CardLoopbackContractTest extends QueuePairContract implements CardUnderTest {

    @Override
    public boolean oneDevice() {
        return true;
    }
}
