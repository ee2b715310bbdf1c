package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.OffloadContract;

class ShmOffloadTest extends OffloadContract implements ShmUnderTest {
}
