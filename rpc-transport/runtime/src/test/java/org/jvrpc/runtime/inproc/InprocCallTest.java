package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.CallContract;

class InprocCallTest extends CallContract implements InprocUnderTest {
}
