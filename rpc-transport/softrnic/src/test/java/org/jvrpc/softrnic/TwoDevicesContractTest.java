package org.jvrpc.softrnic;

import org.jvrpc.verbs.contract.QueuePairContract;

/** Two devices in one process, each with an arena of its own that the other maps. */
final class TwoDevicesContractTest extends QueuePairContract implements ShmUnderTest {
}
