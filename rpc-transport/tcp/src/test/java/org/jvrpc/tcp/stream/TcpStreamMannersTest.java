package org.jvrpc.tcp.stream;

import org.jvrpc.runtime.contract.stream.StreamMannersContract;
import org.jvrpc.tcp.TcpUnderTest;

class TcpStreamMannersTest extends StreamMannersContract implements TcpUnderTest {
}
