package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.MessageContract;

class UnixMessageTest extends MessageContract implements UnixUnderTest {
}
