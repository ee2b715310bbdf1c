package org.jvrpc.tcp.stream;

import org.jvrpc.runtime.contract.beside.StreamTrailersContract;
import org.jvrpc.tcp.TcpUnderTest;

class TcpStreamTrailersTest extends StreamTrailersContract implements TcpUnderTest {
}
