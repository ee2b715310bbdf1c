package org.jvrpc.samples.kv.store;

import java.util.ArrayList;
import java.util.List;

/**
 * What a store counts and holds, at one moment.
 *
 * @param items how many there are
 * @param itemBytes their bytes, from published address to value's end
 * @param memoryLimit bytes for pages
 * @param pages pages in use, {@code pageBytes} each
 * @param mainBuckets buckets of the main index
 * @param offloadBuckets buckets of the offload index
 * @param offloadEntries items in the offload index
 * @param counters by the ordinal of {@link Counter}
 * @param classes size classes that have pages
 */
public record StoreStatistics(
        long items, long itemBytes, long memoryLimit, int pages, int pageBytes, long mainBuckets, long offloadBuckets,
        long offloadEntries, long[] counters, List<SizeClass> classes) {

    /**
     * A size class.
     *
     * @param number from 1 on
     * @param chunk bytes
     * @param perPage chunks a page
     * @param pages how many it has
     * @param free chunks that are free, those in quarantine too
     * @param hot items in HOT
     * @param warm items in WARM
     * @param cold items in COLD
     * @param counters by the ordinal of {@link ClassCounter}
     */
    public record SizeClass(
            int number, int chunk, int perPage, long pages, long free, long hot, long warm, long cold,
            long[] counters) {

        /** Returns a counter. */
        public long get(ClassCounter counter) {
            return counters[counter.ordinal()];
        }

        /** Returns how many items it has. */
        public long used() {
            return hot + warm + cold;
        }
    }

    /** Returns a counter. */
    public long get(Counter counter) {
        return counters[counter.ordinal()];
    }

    static StoreStatistics of(Items items) {
        Memory memory = items.memory;
        long[] counters = new long[Counter.values().length];
        for (Counter counter : Counter.values()) {
            counters[counter.ordinal()] = items.superblock.get(counter);
        }
        List<SizeClass> classes = new ArrayList<>();
        for (int c = 0; c < SizeClasses.count(); c++) {
            if (items.slabs.pagesOf(c) > 0) {
                classes.add(classOf(items, c));
            }
        }
        return new StoreStatistics(memory.getLong(Superblock.ITEMS), memory.getLong(Superblock.ITEM_BYTES),
                memory.getLong(Superblock.MEMORY_LIMIT), items.slabs.pagesInUse(), Slabs.PAGE, items.main.buckets(),
                items.offload.buckets(), items.offload.entries(), counters, List.copyOf(classes));
    }

    private static SizeClass classOf(Items items, int c) {
        Memory memory = items.memory;
        long record = ClassRecord.at(c);
        long[] counters = new long[ClassCounter.values().length];
        for (ClassCounter counter : ClassCounter.values()) {
            counters[counter.ordinal()] = memory.getLong(ClassRecord.counter(c, counter));
        }
        return new SizeClass(c + 1, SizeClasses.chunk(c), memory.getInt(record + ClassRecord.PER_PAGE),
                items.slabs.pagesOf(c),
                memory.getLong(record + ClassRecord.FREE_COUNT) + memory.getLong(record + ClassRecord.QUARANTINE_COUNT),
                items.lru.count(c, Lru.HOT), items.lru.count(c, Lru.WARM), items.lru.count(c, Lru.COLD), counters);
    }
}
