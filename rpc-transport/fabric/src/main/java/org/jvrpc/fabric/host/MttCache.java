package org.jvrpc.fabric.host;

import java.util.Arrays;
import org.jvrpc.fabric.event.Chance;

/**
 * The part of a NIC's table of translations that it has on the chip: 8-way, the page that was not used for the longest
 * time goes. How real cards do that is not known.
 */
final class MttCache {

    private static final int WAYS = 8;

    private final int pageShift;
    private final int setMask;
    private final long[] pages;
    private final long[] usedAt;
    private long uses;
    private long misses;

    /** For powers of two: {@code entries} at least 8. */
    MttCache(int entries, int pageBytes) {
        if (Integer.bitCount(entries) != 1 || entries < WAYS || Integer.bitCount(pageBytes) != 1) {
            throw new IllegalArgumentException("entries=" + entries + " pageBytes=" + pageBytes);
        }
        pageShift = Integer.numberOfTrailingZeros(pageBytes);
        setMask = entries / WAYS - 1;
        pages = new long[entries];
        Arrays.fill(pages, -1);
        usedAt = new long[entries];
    }

    /** Looks up the pages of a piece of memory; returns how many were not there. */
    int use(long address, int length) {
        int missing = 0;
        long last = address + Math.max(length, 1) - 1 >> pageShift;
        for (long page = address >> pageShift; page <= last; page++) {
            if (!use(page)) {
                missing++;
            }
        }
        misses += missing;
        return missing;
    }

    private boolean use(long page) {
        int first = ((int) Chance.mix(page) & setMask) * WAYS;
        int oldest = first;
        for (int i = first; i < first + WAYS; i++) {
            if (pages[i] == page) {
                usedAt[i] = ++uses;
                return true;
            }
            if (usedAt[i] < usedAt[oldest]) {
                oldest = i;
            }
        }
        pages[oldest] = page;
        usedAt[oldest] = ++uses;
        return false;
    }

    long uses() {
        return uses;
    }

    long misses() {
        return misses;
    }
}
