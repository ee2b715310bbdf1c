package org.jvrpc.tcp.stream;

import org.jvrpc.runtime.contract.stream.StreamWaitContract;
import org.jvrpc.tcp.TcpUnderTest;

class TcpStreamWaitTest extends StreamWaitContract implements TcpUnderTest {
}
