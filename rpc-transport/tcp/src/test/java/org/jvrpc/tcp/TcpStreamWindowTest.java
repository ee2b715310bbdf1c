package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamWindowContract;

class TcpStreamWindowTest extends StreamWindowContract implements TcpUnderTest {
}
