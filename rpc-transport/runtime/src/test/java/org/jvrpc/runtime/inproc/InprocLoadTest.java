package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.LoadContract;

class InprocLoadTest extends LoadContract implements InprocUnderTest {
}
