package org.jvrpc.softrnic;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.verbs.VerbsException;

/** The address handles of one device, and what could not be delivered to anybody. Any thread. */
final class DatagramRoutes {

    /** As many as a LID tells apart; 0 is none. */
    private static final int LIMIT = 1 << 16;

    private final AtomicLong undeliverable = new AtomicLong();
    private volatile SoftAddressHandle[] handles = new SoftAddressHandle[16];
    private int next = 1;

    /** Makes a handle. @throws VerbsException when there are too many, or the device is not there */
    synchronized SoftAddressHandle open(SoftProtectionDomain domain, String name, AddressSpace arena) {
        SoftAddressHandle[] copy = handles;
        for (int n = 1; n < LIMIT; n++) {
            int index = next;
            next = index + 1 == LIMIT ? 1 : index + 1;
            if (index >= copy.length || copy[index] == null) {
                SoftAddressHandle handle = new SoftAddressHandle(domain, this, name, arena, index);
                copy = Arrays.copyOf(copy, Math.max(copy.length, Integer.highestOneBit(index) << 1));
                copy[index] = handle;
                handles = copy;
                return handle;
            }
        }
        throw new VerbsException("create_ah", "too many address handles on a device, limit=" + (LIMIT - 1));
    }

    synchronized void remove(SoftAddressHandle handle) {
        SoftAddressHandle[] copy = handles.clone();
        copy[handle.index()] = null;
        handles = copy;
    }

    /** Returns the handle of an index when it has the GID, else null. */
    SoftAddressHandle find(int index, long gidHigh, long gidLow) {
        SoftAddressHandle[] known = handles;
        SoftAddressHandle handle = index < known.length ? known[index] : null;
        return handle != null && handle.hasGid(gidHigh, gidLow) ? handle : null;
    }

    /** Counts a message to a QP that is not there. */
    void drop() {
        undeliverable.incrementAndGet();
    }

    /** Returns how many messages went to QPs that were not there, or not ready. */
    long undeliverable() {
        return undeliverable.get();
    }
}
