package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.CallContract;

class UnixCallTest extends CallContract implements UnixUnderTest {
}
