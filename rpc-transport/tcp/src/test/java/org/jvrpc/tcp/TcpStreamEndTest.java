package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamEndContract;

class TcpStreamEndTest extends StreamEndContract implements TcpUnderTest {
}
