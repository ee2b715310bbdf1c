package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessageContract;

class ShmMessageTest extends MessageContract implements ShmUnderTest {
}
