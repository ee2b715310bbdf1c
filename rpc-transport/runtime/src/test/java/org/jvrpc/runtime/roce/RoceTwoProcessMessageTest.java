package org.jvrpc.runtime.roce;

import org.jvrpc.runtime.contract.MessageContract;

class RoceTwoProcessMessageTest extends MessageContract implements TwoRoceProcesses {
}
