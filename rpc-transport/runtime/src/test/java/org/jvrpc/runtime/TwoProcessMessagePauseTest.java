package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessagePauseContract;

class TwoProcessMessagePauseTest extends MessagePauseContract implements TwoProcesses {
}
