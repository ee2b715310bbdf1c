package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessagePauseContract;

class ShmMessagePauseTest extends MessagePauseContract implements ShmUnderTest {
}
