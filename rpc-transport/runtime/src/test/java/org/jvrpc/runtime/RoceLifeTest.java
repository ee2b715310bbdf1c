package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LifeContract;

class RoceLifeTest extends LifeContract implements RoceUnderTest {
}
