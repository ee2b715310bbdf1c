package org.jvrpc.ibverbs.generic;

import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.ibverbs.RxeUnderTest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract of the generic driver between two devices, at the two ends of a link. */
@NeedsRdmaDevice
final class GenericContractTest extends QueuePairContract implements RxeUnderTest {

    private int opened;

    @Override
    public Device openDevice() {
        return RxeUnderTest.open(opened++ % 2, "generic");
    }

    /** libibverbs' provider of rxe looks at the address. */
    @Override
    public boolean postsMisalignedAtomics() {
        return false;
    }
}
