package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.stream.StreamWindowContract;

class UnixStreamWindowTest extends StreamWindowContract implements UnixUnderTest {
}
