package org.jvrpc.router;

import org.jvrpc.runtime.contract.stream.StreamEndContract;

class RouterStreamEndTest extends StreamEndContract implements RouterRpcUnderTest {
}
