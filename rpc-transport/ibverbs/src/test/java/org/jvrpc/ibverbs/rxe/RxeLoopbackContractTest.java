package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.ibverbs.RxeUnderTest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract between QPs of one rxe device. */
@NeedsRdmaDevice(rxe = 1)
final class RxeLoopbackContractTest extends QueuePairContract implements RxeUnderTest {

    @Override
    public Device openDevice() {
        return RxeUnderTest.open(0, "user");
    }

    @Override
    public boolean oneDevice() {
        return true;
    }
}
