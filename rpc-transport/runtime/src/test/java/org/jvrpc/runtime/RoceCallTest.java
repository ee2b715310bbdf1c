package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CallContract;

class RoceCallTest extends CallContract implements RoceUnderTest {
}
