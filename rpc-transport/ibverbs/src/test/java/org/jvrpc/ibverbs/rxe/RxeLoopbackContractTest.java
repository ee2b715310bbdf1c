package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract between QPs of one rxe device. */
@NeedsRdmaDevice(rxe = 1)
final class RxeLoopbackContractTest extends QueuePairContract implements RxeUnderTest {

    @Override
    public boolean oneDevice() {
        return true;
    }
}
