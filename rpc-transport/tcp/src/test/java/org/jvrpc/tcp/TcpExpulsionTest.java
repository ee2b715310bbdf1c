package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.ExpulsionContract;

class TcpExpulsionTest extends ExpulsionContract implements TcpUnderTest {
}
