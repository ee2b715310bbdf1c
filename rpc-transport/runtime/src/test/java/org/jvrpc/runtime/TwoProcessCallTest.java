package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CallContract;

class TwoProcessCallTest extends CallContract implements TwoProcesses {
}
