package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.CallContract;

/** Calls between two hosts. Run by hand: on two busy processors it takes a minute. */
final class RouterTwoHostsCalls extends CallContract implements RouterTwoHostsUnderTest {
}
