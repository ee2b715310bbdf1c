package org.jvrpc.runtime.roce;

import org.jvrpc.runtime.contract.BadInputContract;

class RoceTwoProcessBadInputTest extends BadInputContract implements TwoRoceProcesses {
}
