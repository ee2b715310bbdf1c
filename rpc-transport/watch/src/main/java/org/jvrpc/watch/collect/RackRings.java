package org.jvrpc.watch.collect;

import java.util.HashMap;
import java.util.Map;

/**
 * Rings of pairs of racks by series, in a bounded number of bytes: where there are too many for all of the windows that
 * are kept, all have half as many. Not safe for use by several threads.
 */
final class RackRings {

    static final long MOST_BYTES = 160L << 20;
    /** Of a ring, its series and its place in the map. */
    private static final int OVERHEAD = 400;
    private static final int LEAST_WINDOWS = 16;

    private final Map<String, Ring> rings = new HashMap<>();
    private final long mostBytes;
    private final int kept;
    private int windows;
    private boolean full;

    /** @param kept windows */
    RackRings(int kept, long mostBytes) {
        this.kept = kept;
        this.windows = kept;
        this.mostBytes = mostBytes;
    }

    /** Returns the ring of a series, or null. */
    Ring get(String series) {
        return rings.get(series);
    }

    /** Returns the ring of a series, a new one if it has none; null when there is no room even for short ones. */
    Ring make(String series, long window) {
        Ring ring = rings.get(series);
        if (ring == null && makeRoom(window)) {
            ring = new Ring(windows);
            rings.put(series, ring);
        }
        return ring;
    }

    private boolean makeRoom(long window) {
        if (!fits()) {
            rings.values().removeIf(ring -> ring.newest() <= window - kept);
        }
        while (!fits() && windows > LEAST_WINDOWS) {
            windows = Math.max(LEAST_WINDOWS, windows / 2);
            rings.replaceAll((series, ring) -> ring.shortened(windows));
        }
        full = !fits();
        return !full;
    }

    private boolean fits() {
        return (rings.size() + 1L) * (OVERHEAD + (long) windows * Ring.ROW_BYTES) <= mostBytes;
    }

    /** Returns how many windows each has. */
    int windows() {
        return windows;
    }

    /** Tells whether a series was refused a ring, and none has gone since. */
    boolean isFull() {
        return full;
    }

    int size() {
        return rings.size();
    }
}
