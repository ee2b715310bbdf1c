package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.CountersContract;

class TlsCountersTest extends CountersContract implements TlsUnderTest {
}
