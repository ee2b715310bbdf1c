package org.jvrpc.tcp;

import org.jvrpc.runtime.retry.RetryContract;

class TcpRetryTest extends RetryContract implements TcpUnderTest {
}
