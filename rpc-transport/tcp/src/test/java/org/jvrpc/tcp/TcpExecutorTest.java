package org.jvrpc.tcp;

import org.jvrpc.runtime.retry.ExecutorContract;

class TcpExecutorTest extends ExecutorContract implements TcpUnderTest {
}
