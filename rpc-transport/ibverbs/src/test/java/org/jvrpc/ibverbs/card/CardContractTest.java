package org.jvrpc.ibverbs.card;

import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract of all devices, two cards. */
final class CardContractTest extends QueuePairContract implements CardUnderTest {
}
