package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamContract;

class TlsStreamTest extends StreamContract implements TlsUnderTest {
}
