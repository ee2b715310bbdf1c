package org.jvrpc.tcp;

import org.jvrpc.runtime.retry.HopContract;

class TcpHopTest extends HopContract implements TcpUnderTest {
}
