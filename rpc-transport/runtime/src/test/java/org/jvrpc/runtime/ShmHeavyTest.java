package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.HeavyContract;

class ShmHeavyTest extends HeavyContract implements ShmUnderTest {
}
