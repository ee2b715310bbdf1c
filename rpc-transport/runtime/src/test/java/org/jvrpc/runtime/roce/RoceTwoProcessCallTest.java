package org.jvrpc.runtime.roce;

import org.jvrpc.runtime.contract.CallContract;

class RoceTwoProcessCallTest extends CallContract implements TwoRoceProcesses {
}
