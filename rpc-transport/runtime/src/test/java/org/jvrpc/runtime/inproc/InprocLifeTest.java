package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.LifeContract;

class InprocLifeTest extends LifeContract implements InprocUnderTest {
}
