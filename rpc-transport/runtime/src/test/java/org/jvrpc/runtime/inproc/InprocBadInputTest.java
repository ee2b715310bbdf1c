package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.BadInputContract;

class InprocBadInputTest extends BadInputContract implements InprocUnderTest {
}
