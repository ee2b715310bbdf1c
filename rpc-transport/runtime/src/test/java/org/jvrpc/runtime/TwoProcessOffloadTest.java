package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.OffloadContract;

class TwoProcessOffloadTest extends OffloadContract implements TwoProcesses {
}
