package org.jvrpc.runtime.roce;

import org.jvrpc.runtime.contract.DeadlineContract;

class RoceTwoProcessDeadlineTest extends DeadlineContract implements TwoRoceProcesses {
}
