package org.jvrpc.tcp.stream;

import org.jvrpc.runtime.contract.stream.SlowConsumerContract;
import org.jvrpc.tcp.TcpUnderTest;

class TcpSlowConsumerTest extends SlowConsumerContract implements TcpUnderTest {
}
