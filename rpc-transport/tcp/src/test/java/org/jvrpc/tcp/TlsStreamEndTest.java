package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamEndContract;

class TlsStreamEndTest extends StreamEndContract implements TlsUnderTest {
}
