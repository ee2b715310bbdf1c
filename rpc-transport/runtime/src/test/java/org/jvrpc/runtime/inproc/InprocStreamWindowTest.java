package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.stream.StreamWindowContract;

class InprocStreamWindowTest extends StreamWindowContract implements InprocUnderTest {
}
