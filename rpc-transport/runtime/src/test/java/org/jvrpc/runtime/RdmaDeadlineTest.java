package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.DeadlineContract;

@NeedsRdmaDevices
class RdmaDeadlineTest extends DeadlineContract implements RdmaUnderTest {
}
