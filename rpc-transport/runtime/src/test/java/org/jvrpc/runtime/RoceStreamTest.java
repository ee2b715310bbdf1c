package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.stream.StreamContract;

class RoceStreamTest extends StreamContract implements RoceUnderTest {
}
