package org.jvrpc.router.rpc;

import org.jvrpc.runtime.contract.MessageContract;

class RouterMessageTest extends MessageContract implements RouterRpcUnderTest {
}
