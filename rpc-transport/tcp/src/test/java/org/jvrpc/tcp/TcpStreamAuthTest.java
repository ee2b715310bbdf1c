package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamAuthContract;

class TcpStreamAuthTest extends StreamAuthContract implements TcpUnderTest {
}
