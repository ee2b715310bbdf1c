package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.LoadContract;

class TcpLoadTest extends LoadContract implements TcpUnderTest {
}
