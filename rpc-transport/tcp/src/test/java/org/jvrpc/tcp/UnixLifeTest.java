package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.LifeContract;

class UnixLifeTest extends LifeContract implements UnixUnderTest {
}
