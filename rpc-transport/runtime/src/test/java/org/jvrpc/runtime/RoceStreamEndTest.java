package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.stream.StreamEndContract;

class RoceStreamEndTest extends StreamEndContract implements RoceUnderTest {
}
