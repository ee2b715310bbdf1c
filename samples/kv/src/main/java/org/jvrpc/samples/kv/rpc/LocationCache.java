package org.jvrpc.samples.kv.rpc;

import java.util.Arrays;

/**
 * Where items lie, as far as calls told. A hash has four places, the newest of which is the first; who comes later
 * drives the oldest out. What it says may be out of date, or another key's of the same hash; the item itself tells. One
 * thread.
 */
final class LocationCache {

    private static final int WORDS = 3;
    private static final int WAYS = 4;
    private static final int SET_WORDS = WAYS * WORDS;

    private final long[] table;
    private final int mask;

    /** Makes one. @param capacity a power of two, at least 4 */
    LocationCache(int capacity) {
        table = new long[capacity * WORDS];
        mask = capacity / WAYS - 1;
    }

    private int set(long hash) {
        return ((int) hash & mask) * SET_WORDS;
    }

    /** Returns where a key's entry is, or -1; good until the next {@link #put}. */
    int find(long hash) {
        int from = set(hash);
        for (int at = from; at < from + SET_WORDS; at += WORDS) {
            if (table[at] == hash && table[at + 2] != 0) {
                return at;
            }
        }
        return -1;
    }

    long address(int entry) {
        return table[entry + 1];
    }

    int length(int entry) {
        return (int) table[entry + 2];
    }

    void put(long hash, long address, int length) {
        int from = set(hash);
        int at = find(hash);
        if (at < 0) {
            at = from;
            while (at < from + SET_WORDS - WORDS && table[at + 2] != 0) {
                at += WORDS;
            }
        }
        for (; at > from; at--) { // makes room in front, word by word
            table[at + WORDS - 1] = table[at - 1];
        }
        table[from] = hash;
        table[from + 1] = address;
        table[from + 2] = length;
    }

    void remove(int entry) {
        table[entry + 2] = 0;
    }

    void clear() {
        Arrays.fill(table, 0);
    }
}
