package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CountersContract;

class RoceCountersTest extends CountersContract implements RoceUnderTest {
}
