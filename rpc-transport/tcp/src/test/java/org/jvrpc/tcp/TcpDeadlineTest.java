package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.DeadlineContract;

class TcpDeadlineTest extends DeadlineContract implements TcpUnderTest {
}
