package org.jvrpc.ibverbs.card;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.DeviceUnderTest;

/** The driver on the model of a card. */
interface CardUnderTest extends DeviceUnderTest {

    @Override
    default Device openDevice() {
        return new ModelDevice();
    }

    @Override
    default String address() {
        throw new UnsupportedOperationException("the model has no connection manager");
    }

    @Override
    default boolean connects() {
        return false;
    }

    @Override
    default boolean knowsPeers() {
        return false;
    }

    @Override
    default boolean keepsUserMemory() {
        return false;
    }

    @Override
    default int roomOf(int depth) {
        return 2 * depth; // libmlx5 rounds up to more than was asked for
    }

    @Override
    default boolean armsFromNow() {
        return false;
    }

    @Override
    default boolean attaches() {
        return false;
    }

    @Override
    default boolean disarms() {
        return false;
    }
}
