package org.jvrpc.runtime;

import org.jvrpc.testing.SharedMemoryFolder;

/** Addresses in the folder of the test class. */
final class ShmFolder {

    private ShmFolder() {
    }

    /** Returns an address at which nobody listens. */
    static String address() {
        return SharedMemoryFolder.freshAddress();
    }
}
