package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.CountersContract;

class TcpCountersTest extends CountersContract implements TcpUnderTest {
}
