package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.DeadlineContract;

class InprocDeadlineTest extends DeadlineContract implements InprocUnderTest {
}
