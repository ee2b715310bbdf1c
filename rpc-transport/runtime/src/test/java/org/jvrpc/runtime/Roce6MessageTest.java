package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.MessageContract;

class Roce6MessageTest extends MessageContract implements Roce6UnderTest {
}
