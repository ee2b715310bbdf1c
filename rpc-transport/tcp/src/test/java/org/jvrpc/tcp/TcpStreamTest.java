package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamContract;

class TcpStreamTest extends StreamContract implements TcpUnderTest {
}
