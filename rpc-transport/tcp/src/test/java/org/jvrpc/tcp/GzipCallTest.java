package org.jvrpc.tcp;

import org.jvrpc.runtime.contract.CallContract;

class GzipCallTest extends CallContract implements GzipUnderTest {
}
