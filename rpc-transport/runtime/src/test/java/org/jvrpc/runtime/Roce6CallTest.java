package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.CallContract;

class Roce6CallTest extends CallContract implements Roce6UnderTest {
}
