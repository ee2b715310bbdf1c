package org.jvrpc.router;

import org.jvrpc.runtime.contract.stream.StreamContract;

class RouterStreamTest extends StreamContract implements RouterRpcUnderTest {
}
