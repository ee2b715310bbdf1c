package org.jvrpc.tcp.stream;

import org.jvrpc.runtime.contract.stream.StreamRefusalContract;
import org.jvrpc.tcp.TcpUnderTest;

class TcpStreamRefusalTest extends StreamRefusalContract implements TcpUnderTest {
}
