package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.HeavyContract;

class TwoProcessHeavyTest extends HeavyContract implements TwoProcesses {
}
