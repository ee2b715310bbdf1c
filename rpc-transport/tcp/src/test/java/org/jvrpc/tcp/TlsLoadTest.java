package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.LoadContract;

class TlsLoadTest extends LoadContract implements TlsUnderTest {
}
