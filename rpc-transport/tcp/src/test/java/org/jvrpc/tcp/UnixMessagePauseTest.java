package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.MessagePauseContract;

class UnixMessagePauseTest extends MessagePauseContract implements UnixUnderTest {
}
