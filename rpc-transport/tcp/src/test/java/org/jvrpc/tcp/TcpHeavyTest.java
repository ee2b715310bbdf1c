package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.HeavyContract;

class TcpHeavyTest extends HeavyContract implements TcpUnderTest {
}
