package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LifeContract;

class TwoProcessLifeTest extends LifeContract implements TwoProcesses {
}
