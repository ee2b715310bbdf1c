package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.LoadContract;

class UnixLoadTest extends LoadContract implements UnixUnderTest {
}
