package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.stream.StreamEndContract;

class ShmStreamEndTest extends StreamEndContract implements ShmUnderTest {
}
