package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessagePauseContract;

class RoceMessagePauseTest extends MessagePauseContract implements RoceUnderTest {
}
