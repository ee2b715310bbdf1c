package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.stream.StreamDeathContract;

class ShmStreamDeathTest extends StreamDeathContract implements ShmUnderTest {
}
