package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamEndContract;

class UnixStreamEndTest extends StreamEndContract implements UnixUnderTest {
}
