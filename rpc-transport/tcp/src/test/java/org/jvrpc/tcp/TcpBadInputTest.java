package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.BadInputContract;

class TcpBadInputTest extends BadInputContract implements TcpUnderTest {
}
