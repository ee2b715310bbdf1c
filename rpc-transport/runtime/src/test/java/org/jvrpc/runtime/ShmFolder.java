package org.jvrpc.runtime;

import org.jvrpc.testing.SharedMemoryFolder;

/** Addresses in the folder of the test class. */
public final class ShmFolder {

    private ShmFolder() {
    }

    /** Returns an address at which nobody listens. */
    public static String address() {
        return SharedMemoryFolder.freshAddress();
    }
}
