package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.HeavyContract;

class InprocHeavyTest extends HeavyContract implements InprocUnderTest {
}
