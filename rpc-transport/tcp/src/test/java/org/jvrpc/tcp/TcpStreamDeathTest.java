package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamDeathContract;

class TcpStreamDeathTest extends StreamDeathContract implements TcpUnderTest {
}
