package org.jvrpc.tcp.stream;

import org.jvrpc.runtime.contract.stream.StreamHopContract;
import org.jvrpc.tcp.TcpUnderTest;

class TcpStreamHopTest extends StreamHopContract implements TcpUnderTest {
}
