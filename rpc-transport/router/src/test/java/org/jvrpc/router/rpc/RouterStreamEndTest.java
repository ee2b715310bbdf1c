package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.stream.StreamEndContract;

class RouterStreamEndTest extends StreamEndContract implements RouterRpcUnderTest {
}
