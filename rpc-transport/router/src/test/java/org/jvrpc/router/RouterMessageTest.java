package org.jvrpc.router;

import org.jvrpc.runtime.contract.MessageContract;

class RouterMessageTest extends MessageContract implements RouterRpcUnderTest {
}
