package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.LifeContract;

class TlsLifeTest extends LifeContract implements TlsUnderTest {
}
