package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.LifeContract;

class TcpLifeTest extends LifeContract implements TcpUnderTest {
}
