package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.BadInputContract;

class TlsBadInputTest extends BadInputContract implements TlsUnderTest {
}
