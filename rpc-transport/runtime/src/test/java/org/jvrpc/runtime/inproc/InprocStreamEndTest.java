package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.stream.StreamEndContract;

class InprocStreamEndTest extends StreamEndContract implements InprocUnderTest {
}
