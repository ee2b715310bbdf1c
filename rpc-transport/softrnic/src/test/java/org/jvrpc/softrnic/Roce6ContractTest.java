package org.jvrpc.softrnic;

import org.jvrpc.verbs.contract.QueuePairContract;

/** Two devices over IPv6, whose packets' ICRC covers other headers. */
final class Roce6ContractTest extends QueuePairContract implements RoceUnderTest {

    @Override
    public String host() {
        return "[::1]";
    }
}
