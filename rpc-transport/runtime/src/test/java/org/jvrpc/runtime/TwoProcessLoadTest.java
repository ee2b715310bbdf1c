package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LoadContract;

class TwoProcessLoadTest extends LoadContract implements TwoProcesses {
}
