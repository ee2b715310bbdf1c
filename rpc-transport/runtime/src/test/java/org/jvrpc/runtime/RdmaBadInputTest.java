package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.BadInputContract;

@NeedsRdmaDevices
class RdmaBadInputTest extends BadInputContract implements RdmaUnderTest {
}
