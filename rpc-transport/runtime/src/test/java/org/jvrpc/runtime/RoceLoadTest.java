package org.jvrpc.runtime;

import org.jvrpc.runtime.contract.LoadContract;

class RoceLoadTest extends LoadContract implements RoceUnderTest {
}
