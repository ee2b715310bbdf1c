package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.stream.StreamContract;

class ShmStreamTest extends StreamContract implements ShmUnderTest {
}
