package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.MessageContract;

class TlsMessageTest extends MessageContract implements TlsUnderTest {
}
