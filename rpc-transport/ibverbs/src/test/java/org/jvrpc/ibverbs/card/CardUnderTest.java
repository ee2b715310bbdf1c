package org.jvrpc.ibverbs.card;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.RealDeviceUnderTest;

/** The driver on the model of a card: what that does in another way than a real one has it. */
interface CardUnderTest extends RealDeviceUnderTest {

    @Override
    default Device openDevice() {
        return new ModelDevice();
    }

    @Override
    default String kernelName() {
        return "model";
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
    default int roomOf(int depth) {
        return 2 * depth; // libmlx5 rounds up to more than was asked for
    }

    @Override
    default boolean disarms() {
        return false;
    }

    @Override
    default boolean dropsLongDatagrams() {
        return true;
    }

    @Override
    default boolean looksHereFirst() {
        return true;
    }

    @Override
    default boolean limitsWideQueues() {
        return true;
    }

    /** The model reaches memory by its address, as no card does: nothing is pinned. */
    @Override
    default boolean bearsCuts() {
        return false;
    }
}
