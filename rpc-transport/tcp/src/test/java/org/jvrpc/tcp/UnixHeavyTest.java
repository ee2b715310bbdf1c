package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.HeavyContract;

class UnixHeavyTest extends HeavyContract implements UnixUnderTest {
}
