package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.DeadlineContract;

class RoceDeadlineTest extends DeadlineContract implements RoceUnderTest {
}
