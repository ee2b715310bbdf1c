package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.OffloadContract;

/**
 * Programs that the router of one host runs for clients of another. Run by hand: on two busy processors a program is
 * often later than a client waits for it.
 */
final class RouterTwoHostsOffloads extends OffloadContract implements RouterTwoHostsUnderTest {

    @Override
    protected int callsOfThread() {
        return 100;
    }
}
