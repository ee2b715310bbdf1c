package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.DeadlineContract;

class ShmDeadlineTest extends DeadlineContract implements ShmUnderTest {
}
