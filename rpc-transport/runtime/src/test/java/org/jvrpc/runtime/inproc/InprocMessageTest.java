package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.contract.MessageContract;

class InprocMessageTest extends MessageContract implements InprocUnderTest {
}
