package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamContract;

class UnixStreamTest extends StreamContract implements UnixUnderTest {
}
