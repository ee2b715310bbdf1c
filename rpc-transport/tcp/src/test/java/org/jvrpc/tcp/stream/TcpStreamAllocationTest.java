package org.jvrpc.tcp.stream;

import org.jvrpc.runtime.contract.stream.StreamAllocationContract;
import org.jvrpc.tcp.TcpUnderTest;

class TcpStreamAllocationTest extends StreamAllocationContract implements TcpUnderTest {
}
