package org.jvrpc.runtime.roce;

import org.jvrpc.runtime.contract.LoadContract;

class RoceTwoProcessLoadTest extends LoadContract implements TwoRoceProcesses {
}
