package org.jvrpc.softrnic;

import org.jvrpc.verbs.contract.QueuePairContract;

/** Two devices that send each other packets over loopback. */
final class RoceContractTest extends QueuePairContract implements RoceUnderTest {
}
