package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessageContract;

class RoceMessageTest extends MessageContract implements RoceUnderTest {
}
