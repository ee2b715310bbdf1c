package org.jvrpc.samples.kv.store;

import java.lang.invoke.VarHandle;

/**
 * The first page of the region. What peers read is the geometry of the offload index, as
 * {@link org.jvrpc.offload.table.IndexHeader} has it.
 *
 * <pre>
 *    0 | magic:64                | 8 | layout version:32 | 12 | page bytes:32
 *   16 | region length:64        | 24 | memory limit:64
 *   32 | grace, ns:64            | 40 | offload limit:32 | 44 | evict:32
 *   48 | pages, at most:32       | 52 | pages in use:32
 *   56 | top of the index zone:64, which grows downwards
 *   64 | dirty:64                |  1 while links are being changed
 *  128 | main index: offset:64   | 136 | buckets:64
 *  192 | offload index: generation:64 | 200 | address:64 | 208 | buckets:64 | 216 | check:64 | 224 | entries:64
 *  232 | the same while it is being published: address:64 | 240 | buckets:64
 *  256 | next version:64         | 264 | flush at, Unix seconds, 0 none:64
 *  272 | items:64                | 280 | bytes of items:64
 *  288 | secret of the hash of keys: 128
 *  512 | counters, 64 each, in the order of {@link Counter}
 * 4096 | size classes, see {@link ClassRecord}
 * then | class of each page:8, 0 none
 * </pre>
 */
public final class Superblock {

    /** Offset of the words that say where the offload index is. */
    public static final int OFFLOAD_GENERATION = 192;
    /** Offset of the address of the offload index. */
    public static final int OFFLOAD_ADDRESS = 200;
    /** Offset of the number of buckets of the offload index. */
    public static final int OFFLOAD_BUCKETS = 208;
    /** Offset of the check of these three. */
    public static final int OFFLOAD_CHECK = 216;

    static final long MAGIC = 0x31_56_4b_43_50_52_56_4aL;
    static final int VERSION = 2;

    static final int LAYOUT_VERSION = 8;
    static final int PAGE_BYTES = 12;
    static final int REGION_LENGTH = 16;
    static final int MEMORY_LIMIT = 24;
    static final int GRACE = 32;
    static final int OFFLOAD_LIMIT = 40;
    static final int EVICT = 44;
    static final int MAX_PAGES = 48;
    static final int PAGES = 52;
    static final int ZONE_TOP = 56;
    static final int DIRTY = 64;
    static final int MAIN_OFFSET = 128;
    static final int MAIN_BUCKETS = 136;
    static final int OFFLOAD_ENTRIES = 224;
    static final int NEXT_OFFLOAD_ADDRESS = 232;
    static final int NEXT_OFFLOAD_BUCKETS = 240;
    static final int NEXT_VERSION = 256;
    static final int FLUSH_AT = 264;
    static final int ITEMS = 272;
    static final int ITEM_BYTES = 280;
    static final int HASH_SECRET = 288;
    static final int COUNTERS = 512;
    static final int CLASSES = 4096;
    static final int PAGE_CLASSES = CLASSES + ClassRecord.COUNT * ClassRecord.BYTES;

    private static final int ALIGNMENT = 4096;

    private final Memory memory;

    Superblock(Memory memory) {
        this.memory = memory;
    }

    void format(StoreSettings settings) {
        int pages = Slabs.pages(settings.memoryLimit());
        memory.putInt(LAYOUT_VERSION, VERSION);
        memory.putInt(PAGE_BYTES, Slabs.PAGE);
        memory.putLong(REGION_LENGTH, memory.length());
        memory.putLong(MEMORY_LIMIT, settings.memoryLimit());
        memory.putLong(GRACE, settings.graceNs());
        memory.putInt(OFFLOAD_LIMIT, settings.offloadLimit());
        memory.putInt(EVICT, settings.evict() ? 1 : 0);
        memory.putInt(MAX_PAGES, pages);
        memory.putInt(PAGES, 0);
        memory.putLong(ZONE_TOP, memory.length());
        memory.putLong(DIRTY, 0);
        memory.putLong(OFFLOAD_GENERATION, 0);
        memory.putLong(OFFLOAD_CHECK, 0);
        memory.putLong(OFFLOAD_ENTRIES, 0);
        memory.putLong(NEXT_VERSION, 1);
        memory.putLong(FLUSH_AT, 0);
        memory.putLong(ITEMS, 0);
        memory.putLong(ITEM_BYTES, 0);
        Keys keys = Keys.random();
        memory.putLong(HASH_SECRET, keys.first());
        memory.putLong(HASH_SECRET + Long.BYTES, keys.second());
        for (Counter counter : Counter.values()) {
            memory.putLong(at(counter), 0);
        }
    }

    /** Makes the region a store; the last step of formatting. */
    void seal() {
        memory.putLongRelease(0, MAGIC);
    }

    /** Looks whether the region holds a store of this layout. @throws IllegalStateException which says what is wrong */
    void check() {
        long magic = memory.length() < PAGE_CLASSES ? 0 : memory.getLong(0);
        if (magic != MAGIC) {
            throw new IllegalStateException("magic=0x" + Long.toHexString(magic) + ": the region holds no store");
        }
        int version = memory.getInt(LAYOUT_VERSION);
        if (version != VERSION || memory.getInt(PAGE_BYTES) != Slabs.PAGE) {
            throw new IllegalStateException("layout version=" + version + " page=" + memory.getInt(PAGE_BYTES)
                    + ": this program knows version=" + VERSION + " page=" + Slabs.PAGE);
        }
        if (memory.getLong(REGION_LENGTH) != memory.length()) {
            throw new IllegalStateException("region length=" + memory.length() + ": the store was made for "
                    + memory.getLong(REGION_LENGTH) + " bytes");
        }
    }

    /** Says that links are about to change; who attaches then has to repair them. */
    void begin() {
        if (memory.getLong(DIRTY) == 0) {
            memory.putLong(DIRTY, 1);
            // Pairs with the load in attach, of another process, after this one was killed: no link changes before it.
            VarHandle.storeStoreFence();
        }
    }

    /** Says that all links are whole. Read by attach. */
    void end() {
        if (memory.getLong(DIRTY) != 0) {
            memory.putLongRelease(DIRTY, 0);
        }
    }

    /** Returns the hash of the store's keys. */
    Keys keys() {
        return new Keys(memory.getLong(HASH_SECRET), memory.getLong(HASH_SECRET + Long.BYTES));
    }

    boolean isDirty() {
        return memory.getLong(DIRTY) != 0;
    }

    /** Takes memory for an index: inside one window, never given back. @return its offset, 0 when there is no room */
    long takeZone(long bytes) {
        long top = memory.getLong(ZONE_TOP);
        long begin = top - bytes & -ALIGNMENT;
        if (begin > 0 && begin >>> Memory.WINDOW_BITS != begin + bytes - 1 >>> Memory.WINDOW_BITS) {
            begin = (begin + bytes - 1 >>> Memory.WINDOW_BITS << Memory.WINDOW_BITS) - bytes & -ALIGNMENT;
        }
        if (bytes > Memory.WINDOW || begin < Slabs.end(memory.getInt(MAX_PAGES))) {
            return 0;
        }
        memory.putLong(ZONE_TOP, begin);
        return begin;
    }

    long nextVersion() {
        long version = memory.getLong(NEXT_VERSION);
        memory.putLong(NEXT_VERSION, version + 1);
        return version;
    }

    void add(int offset, long delta) {
        memory.putLong(offset, memory.getLong(offset) + delta);
    }

    void count(Counter counter) {
        int at = at(counter);
        memory.putLong(at, memory.getLong(at) + 1);
    }

    long get(Counter counter) {
        return memory.getLong(at(counter));
    }

    void reset(Counter counter) {
        memory.putLong(at(counter), 0);
    }

    private static int at(Counter counter) {
        return COUNTERS + counter.ordinal() * Long.BYTES;
    }
}
