package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.MessageContract;

class GzipMessageTest extends MessageContract implements GzipUnderTest {
}
