package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.MessagePauseContract;

class TlsMessagePauseTest extends MessagePauseContract implements TlsUnderTest {
}
