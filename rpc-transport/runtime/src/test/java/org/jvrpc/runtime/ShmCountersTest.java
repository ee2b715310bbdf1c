package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CountersContract;

class ShmCountersTest extends CountersContract implements ShmUnderTest {
}
