package org.jvrpc.tcp;

import org.jvrpc.runtime.retry.MayHaveRunContract;

class TcpMayHaveRunTest extends MayHaveRunContract implements TcpUnderTest {
}
