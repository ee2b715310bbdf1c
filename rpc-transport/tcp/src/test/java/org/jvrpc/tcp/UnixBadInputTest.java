package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.BadInputContract;

class UnixBadInputTest extends BadInputContract implements UnixUnderTest {
}
