package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LoadContract;

class ShmLoadTest extends LoadContract implements ShmUnderTest {
}
