package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract between two rxe devices, at the two ends of a link. */
@NeedsRdmaDevice
final class RxeContractTest extends QueuePairContract implements RxeUnderTest {
}
