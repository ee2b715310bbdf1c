package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.ExpulsionContract;

class ShmExpulsionTest extends ExpulsionContract implements ShmUnderTest {
}
