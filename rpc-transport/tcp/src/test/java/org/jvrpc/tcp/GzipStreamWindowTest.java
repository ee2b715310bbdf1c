package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamWindowContract;

class GzipStreamWindowTest extends StreamWindowContract implements GzipUnderTest {
}
