package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.CallContract;

/** Calls between two hosts. */
final class RouterTwoHostsCallsTest extends CallContract implements RouterTwoHostsUnderTest {
}
