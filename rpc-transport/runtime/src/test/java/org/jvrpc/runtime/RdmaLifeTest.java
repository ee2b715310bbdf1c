package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LifeContract;

@NeedsRdmaDevices
class RdmaLifeTest extends LifeContract implements RdmaUnderTest {
}
