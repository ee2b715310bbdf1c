package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.OffloadContract;

/** Programs that the router runs, of one tenant, for clients of another. */
class RouterOffloadTest extends OffloadContract implements RouterRpcUnderTest {
}
