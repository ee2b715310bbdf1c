package org.jvrpc.runtime.roce;

import org.jvrpc.runtime.contract.LifeContract;

class RoceTwoProcessLifeTest extends LifeContract implements TwoRoceProcesses {
}
