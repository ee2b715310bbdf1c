package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.DeadlineContract;

class UnixDeadlineTest extends DeadlineContract implements UnixUnderTest {
}
