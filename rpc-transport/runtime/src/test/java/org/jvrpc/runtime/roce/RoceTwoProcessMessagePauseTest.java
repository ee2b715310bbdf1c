package org.jvrpc.runtime.roce;

import org.jvrpc.runtime.contract.MessagePauseContract;

class RoceTwoProcessMessagePauseTest extends MessagePauseContract implements TwoRoceProcesses {
}
