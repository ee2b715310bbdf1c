package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.CountersContract;

class UnixCountersTest extends CountersContract implements UnixUnderTest {
}
