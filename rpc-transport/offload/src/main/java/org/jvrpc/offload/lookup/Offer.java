package org.jvrpc.offload.lookup;

import java.util.Objects;
import org.jvrpc.verbs.MemoryRegion;

/**
 * A lookup that a host offers.
 *
 * @param name what clients ask for
 * @param kind the program
 * @param data what it searches; clients get a key that reads all of it, and nothing more
 * @param header offset in the data of what tells clients where to search, see
 *     {@link org.jvrpc.offload.table.IndexHeader}
 * @param rearm how a program gets ready for the next request
 * @param wqesPerSecond the most WQEs a second of each client, see {@link org.jvrpc.verbs.Chains#limitRate}
 * @param burst the most at once after an idle time
 */
public record Offer(
        String name, LookupKind kind, MemoryRegion data, long header, Rearm rearm, long wqesPerSecond, int burst) {

    /** How a program gets ready for the next request. */
    public enum Rearm {
        /** By itself: the chain puts itself back, and runs on when the host's process is busy or stopped. */
        RECYCLED,
        /** Instances are written ahead, and the host's thread writes a new one for each that was used. */
        PREPOSTED
    }

    /** Checks the values. */
    public Offer {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(rearm, "rearm");
        if (name.isEmpty() || name.length() > LookupHello.MAX_NAME) {
            throw new IllegalArgumentException("name must have 1 to " + LookupHello.MAX_NAME + " characters: " + name);
        }
        if (header < 0 || header > data.length() - 32) {
            throw new IllegalArgumentException("header=" + header + " is not in the data, length=" + data.length());
        }
    }

    /** An offer without a limit of the rate, of a program that re-arms itself. */
    public Offer(String name, LookupKind kind, MemoryRegion data, long header) {
        this(name, kind, data, header, Rearm.RECYCLED, Long.MAX_VALUE, Integer.MAX_VALUE);
    }
}
