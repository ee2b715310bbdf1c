package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.CountersContract;

class InprocCountersTest extends CountersContract implements InprocUnderTest {
}
