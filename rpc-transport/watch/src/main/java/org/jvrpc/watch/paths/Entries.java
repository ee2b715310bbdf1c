package org.jvrpc.watch.paths;

import java.util.Arrays;

/** From, to and flow to the number of a way: 40 bytes each. Written by one thread, then read by any. */
final class Entries {

    /** Any flow. */
    static final int ANY = 0x1ffff;
    static final int MOST_FLOW = 0xffff;
    static final int MOST_ENDS = 1 << 20;

    private static final int END_BITS = 20;
    private static final int FLOW_BITS = 17;
    private static final int FIRST = 1024;
    private static final long FREE = -1;

    /** What is done with each. */
    interface Each {
        void is(int from, int to, int way, int line);
    }

    private long[] keys = new long[FIRST];
    private int[] ways = new int[FIRST];
    private int[] lines = new int[FIRST];
    private int size;

    Entries() {
        Arrays.fill(keys, FREE);
    }

    int size() {
        return size;
    }

    private static long key(int from, int to, int flow) {
        return ((long) from << END_BITS | to) << FLOW_BITS | flow;
    }

    /** Source: the finalizer of MurmurHash3. */
    private static int mixed(long key) {
        long mixed = (key ^ key >>> 33) * 0xff51afd7ed558ccdL;
        return (int) (mixed ^ mixed >>> 33);
    }

    private int place(long key) {
        int place = mixed(key) & keys.length - 1;
        while (keys[place] != FREE && keys[place] != key) {
            place = place + 1 & keys.length - 1;
        }
        return place;
    }

    /** Adds one. @return the line that says another way; 0 when none does */
    int put(int from, int to, int flow, int way, int line) {
        if (size * 2 >= keys.length) {
            grow();
        }
        long key = key(from, to, flow);
        int place = place(key);
        if (keys[place] == key) {
            return ways[place] == way ? 0 : lines[place];
        }
        set(place, key, way, line);
        size++;
        return 0;
    }

    private void set(int place, long key, int way, int line) {
        keys[place] = key;
        ways[place] = way;
        lines[place] = line;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldWays = ways;
        int[] oldLines = lines;
        keys = new long[oldKeys.length * 2];
        Arrays.fill(keys, FREE);
        ways = new int[keys.length];
        lines = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != FREE) {
                set(place(oldKeys[i]), oldKeys[i], oldWays[i], oldLines[i]);
            }
        }
    }

    /** Returns the way of a flow, or of any when that flow has none of its own; -1: none. */
    int find(int from, int to, int flow) {
        int place = place(key(from, to, flow));
        if (keys[place] == FREE) {
            place = place(key(from, to, ANY));
        }
        return keys[place] == FREE ? -1 : ways[place];
    }

    void each(Each what) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != FREE) {
                what.is((int) (keys[i] >>> END_BITS + FLOW_BITS),
                        (int) (keys[i] >>> FLOW_BITS) & MOST_ENDS - 1, ways[i], lines[i]);
            }
        }
    }
}
