package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.OffloadContract;

/** Programs that the router of one host runs for clients of another. */
final class RouterTwoHostsOffloadsTest extends OffloadContract implements RouterTwoHostsUnderTest {

    @Override
    protected int callsOfThread() {
        return 100;
    }
}
