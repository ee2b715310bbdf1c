package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.BadInputContract;

class ShmBadInputTest extends BadInputContract implements ShmUnderTest {
}
