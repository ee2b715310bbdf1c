package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.ibverbs.RxeUnderTest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract between two rxe devices, at the two ends of a link. */
@NeedsRdmaDevice
final class RxeContractTest extends QueuePairContract implements RxeUnderTest {

    private int opened;

    @Override
    public Device openDevice() {
        return RxeUnderTest.open(opened++ % 2, "user");
    }
}
