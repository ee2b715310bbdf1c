package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.stream.StreamContract;

class RouterStreamTest extends StreamContract implements RouterRpcUnderTest {
}
