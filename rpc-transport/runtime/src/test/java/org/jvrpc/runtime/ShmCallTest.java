package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CallContract;

class ShmCallTest extends CallContract implements ShmUnderTest {
}
