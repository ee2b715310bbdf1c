package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.BadInputContract;

class TwoProcessBadInputTest extends BadInputContract implements TwoProcesses {
}
