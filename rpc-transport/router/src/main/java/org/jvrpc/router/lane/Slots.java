package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;

/**
 * The memory that messages to one peer router lie in: from when they are made until they have left, and those that may
 * have to be sent again until word comes that they need not. Each has a count of who needs it. The worker's thread.
 */
final class Slots {

    /** One message with its header; two packets of a device with the usual MTU. */
    static final int BYTES = 8192;
    static final int COUNT = 512;

    private final MemoryRegion region;
    private final ByteBuffer memory;
    private final int[] free = new int[COUNT];
    private final byte[] users = new byte[COUNT];
    private int count;

    Slots(ProtectionDomain pd) {
        region = pd.allocate((long) COUNT * BYTES, Access.LOCAL_WRITE);
        memory = region.buffer(0, COUNT * BYTES);
        for (int i = COUNT - 1; i >= 0; i--) {
            free[count++] = i;
        }
    }

    int free() {
        return count;
    }

    /** Tells whether so many are free that what may be dropped may have one. */
    boolean hasMany() {
        return count > COUNT / 2;
    }

    /** Takes one, for one user. @throws IllegalStateException when there is none: look at {@link #free} before */
    int take() {
        if (count == 0) {
            throw new IllegalStateException("no slot is free");
        }
        int slot = free[--count];
        users[slot] = 1;
        return slot;
    }

    /** Notes another user. */
    void share(int slot) {
        users[slot]++;
    }

    /** One user needs it no more. */
    void give(int slot) {
        if (--users[slot] == 0) {
            free[count++] = slot;
        }
    }

    ByteBuffer memory() {
        return memory;
    }

    static int at(int slot) {
        return slot * BYTES;
    }

    long address(int slot) {
        return region.address() + at(slot);
    }

    int lkey() {
        return region.lkey();
    }

    void close() {
        region.close();
    }
}
