package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.stream.StreamContract;

@NeedsRdmaDevices
class RdmaStreamTest extends StreamContract implements RdmaUnderTest {
}
