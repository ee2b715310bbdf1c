package org.jvrpc.router;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.DeviceUnderTest;

/** Virtual RNICs of a router in this process under the contract. */
interface RouterUnderTest extends DeviceUnderTest {

    @Override
    default Device openDevice() {
        return SharedRouter.get().open("one");
    }

    @Override
    default String address() {
        return SharedRouter.get().address(0);
    }

    @Override
    default int rounds(int wanted) {
        return Math.max(1, wanted / 10);
    }

    @Override
    default boolean completesLater() {
        return true;
    }
}
