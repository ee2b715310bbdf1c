package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessageContract;

class TwoProcessMessageTest extends MessageContract implements TwoProcesses {
}
