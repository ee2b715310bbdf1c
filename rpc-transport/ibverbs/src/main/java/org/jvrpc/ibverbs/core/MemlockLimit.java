package org.jvrpc.ibverbs.core;

import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;

/** How much memory this process may lock, which registered memory counts against. Source: getrlimit(2). */
public final class MemlockLimit {

    private static final int RLIMIT_MEMLOCK = 8;

    private MemlockLimit() {
    }

    /** Returns the soft limit in bytes, -1 for none. */
    public static long bytes() {
        Native limit = Native.allocate(16);
        return Libraries.c().getrlimit(RLIMIT_MEMLOCK, limit.address()) == 0 ? limit.getLong(0) : -1;
    }

    /** Returns the soft limit for people. */
    public static String describe() {
        long bytes = bytes();
        return bytes < 0 ? "unlimited" : bytes / 1024 + " KiB";
    }
}
