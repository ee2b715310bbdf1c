package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.CallContract;

class TlsCallTest extends CallContract implements TlsUnderTest {
}
