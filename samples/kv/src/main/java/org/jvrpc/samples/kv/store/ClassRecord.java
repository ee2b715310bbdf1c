package org.jvrpc.samples.kv.store;

/**
 * A size class: what chunks it has. 256 bytes, {@link #COUNT} of them behind each other.
 *
 * <pre>
 *   0 | chunk bytes:32 | 4 chunks a page:32 | 8 pages:64
 *  16 | free list: first:64 | 24 count:64
 *  32 | quarantine: first:64 | 40 last:64 | 48 count:64
 *  56 | HOT first:64, last:64, count:64 | 80 WARM, the same | 104 COLD, the same
 * 128 | counters, 64 each, in the order of {@link ClassCounter}
 * </pre>
 */
final class ClassRecord {

    static final int COUNT = 64;
    static final int BYTES = 256;

    static final int CHUNK = 0;
    static final int PER_PAGE = 4;
    static final int PAGES = 8;
    static final int FREE = 16;
    static final int FREE_COUNT = 24;
    static final int QUARANTINE_FIRST = 32;
    static final int QUARANTINE_LAST = 40;
    static final int QUARANTINE_COUNT = 48;
    static final int LISTS = 56;
    static final int LIST_BYTES = 24;
    static final int LIST_FIRST = 0;
    static final int LIST_LAST = 8;
    static final int LIST_COUNT = 16;
    static final int COUNTERS = 128;

    private ClassRecord() {
    }

    /** Returns where a class's record is. */
    static long at(int sizeClass) {
        return Superblock.CLASSES + (long) sizeClass * BYTES;
    }

    /** Returns where the words of one of a class's LRU lists are. */
    static long list(int sizeClass, int list) {
        return at(sizeClass) + LISTS + (long) list * LIST_BYTES;
    }

    static long counter(int sizeClass, ClassCounter counter) {
        return at(sizeClass) + COUNTERS + (long) counter.ordinal() * Long.BYTES;
    }
}
