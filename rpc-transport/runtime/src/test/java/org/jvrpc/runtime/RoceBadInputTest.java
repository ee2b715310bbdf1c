package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.BadInputContract;

class RoceBadInputTest extends BadInputContract implements RoceUnderTest {
}
