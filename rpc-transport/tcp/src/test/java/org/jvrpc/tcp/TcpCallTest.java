package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.CallContract;

class TcpCallTest extends CallContract implements TcpUnderTest {
}
