package org.jvrpc.ibverbs.generic;

import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract of the generic driver between two devices, at the two ends of a link. */
@NeedsRdmaDevice
final class GenericContractTest extends QueuePairContract implements GenericUnderTest {

    private int opened;

    @Override
    public Device openDevice() {
        return GenericUnderTest.open(opened++ % 2);
    }
}
