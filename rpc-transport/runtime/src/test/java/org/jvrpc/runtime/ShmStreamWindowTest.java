package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.stream.StreamWindowContract;

class ShmStreamWindowTest extends StreamWindowContract implements ShmUnderTest {
}
