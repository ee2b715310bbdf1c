package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.stream.StreamContract;

class InprocStreamTest extends StreamContract implements InprocUnderTest {
}
