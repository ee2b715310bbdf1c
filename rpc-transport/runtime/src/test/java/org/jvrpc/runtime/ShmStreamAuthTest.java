package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.stream.StreamAuthContract;

class ShmStreamAuthTest extends StreamAuthContract implements ShmUnderTest {
}
