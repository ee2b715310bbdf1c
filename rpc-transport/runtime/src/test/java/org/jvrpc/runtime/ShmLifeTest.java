package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LifeContract;

class ShmLifeTest extends LifeContract implements ShmUnderTest {
}
