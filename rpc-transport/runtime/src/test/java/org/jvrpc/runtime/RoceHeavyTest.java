package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.HeavyContract;

class RoceHeavyTest extends HeavyContract implements RoceUnderTest {
}
