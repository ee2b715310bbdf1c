package org.jvrpc.router;

import org.jvrpc.runtime.contract.CallContract;

class RouterCallTest extends CallContract implements RouterRpcUnderTest {
}
