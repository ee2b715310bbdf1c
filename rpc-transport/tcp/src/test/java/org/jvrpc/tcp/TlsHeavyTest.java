package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.HeavyContract;

class TlsHeavyTest extends HeavyContract implements TlsUnderTest {
}
