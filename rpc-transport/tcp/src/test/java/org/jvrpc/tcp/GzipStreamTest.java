package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamContract;

class GzipStreamTest extends StreamContract implements GzipUnderTest {
}
