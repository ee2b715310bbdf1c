package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.DeadlineContract;

class TlsDeadlineTest extends DeadlineContract implements TlsUnderTest {
}
