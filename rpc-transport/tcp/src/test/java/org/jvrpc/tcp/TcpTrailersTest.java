package org.jvrpc.tcp;

import org.jvrpc.runtime.retry.TrailersContract;

class TcpTrailersTest extends TrailersContract implements TcpUnderTest {
}
