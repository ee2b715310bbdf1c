package org.jvrpc.runtime.roce;

import org.jvrpc.runtime.contract.HeavyContract;

class RoceTwoProcessHeavyTest extends HeavyContract implements TwoRoceProcesses {
}
