package org.jvrpc.softrnic.crash;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/**
 * The parent's side of an operation: the peer of the child, others who have nothing to do with it, and the auditor. One
 * scene serves all the children of an operation, so that what one of them spoils is seen. One thread.
 */
abstract class Scene implements AutoCloseable {

    final Device device = ShmUnderTest.open();
    final EventChannel channel = device.createChannel();
    final WorkCompletion wc = new WorkCompletion();

    /** Makes ready for a child; returns its arguments. */
    abstract List<String> begin();

    /** The child is ready, and about to begin. */
    void go() {
    }

    /** A turn of this side's part while the child does its own. Does not block. */
    abstract void step();

    /** Others go on while the child stands behind a store. */
    abstract void others();

    /**
     * The child is dead: looks whether all is in order, and gives back what was made for it.
     *
     * @param whole true when the operation was done to its end
     */
    abstract void end(boolean whole);

    /** Takes turns until a condition holds. */
    final void stepUntil(String what, BooleanSupplier condition) {
        Deadline.until(what, () -> {
            step();
            return condition.getAsBoolean();
        }, this::toString);
    }

    final Listener listen() {
        return device.listen(SharedMemoryFolder.freshAddress(), channel);
    }

    /** Returns the next who wants to connect; null when nobody does. */
    final ConnectionRequest asked(Listener listener) {
        channel.await(0);
        return listener.poll();
    }

    @Override
    public void close() {
        device.close();
    }
}
