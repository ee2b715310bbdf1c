package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.DeadlineContract;

class TwoProcessDeadlineTest extends DeadlineContract implements TwoProcesses {
}
