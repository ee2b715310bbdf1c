package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamCutContract;

class TcpStreamCutTest extends StreamCutContract implements TcpUnderTest {
}
