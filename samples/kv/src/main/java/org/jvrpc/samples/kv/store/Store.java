package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jvrpc.verbs.MemoryRegion;

/**
 * A cache with memcached's commands over a region. Any thread: one lock, held for one command; visitors are called
 * under it. The commands allocate nothing and end with a {@link StoreResult}.
 *
 * <p>An update that was broken off by an exception, or by the death of a process before this one, is repaired by the
 * next command or by {@link #attach}: what was acknowledged is there, what was not is there or not, and never half.
 */
public final class Store {

    private static final long RELATIVE_LIMIT = 60L * 60 * 24 * 30;
    private static final int LONG_AGO = 1;
    private static final int SPINS = 100;
    /** Of one tick, so that the lock is not held long. */
    private static final int MOST_RECLAIMED = 1000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Memory memory;
    private final Superblock superblock;
    private final Items items;
    private final Commands commands;
    private final Clock clock;
    private final Keys keys;

    private Store(Memory memory, Clock clock) {
        this.memory = memory;
        this.clock = clock;
        superblock = new Superblock(memory);
        keys = superblock.keys();
        items = new Items(memory, clock);
        commands = new Commands(items, clock);
    }

    /**
     * Makes an empty store of a region, whatever it held.
     *
     * @throws IllegalArgumentException when the region is too short: see {@link StoreSettings#regionBytes()}
     */
    public static Store create(MemoryRegion region, StoreSettings settings, Clock clock) {
        return create(new Memory(region), settings, clock);
    }

    static Store create(Memory memory, StoreSettings settings, Clock clock) {
        if (memory.length() < Slabs.end(Slabs.pages(settings.memoryLimit()))) {
            throw new IllegalArgumentException("region length=" + memory.length() + ": memoryLimit="
                    + settings.memoryLimit() + " takes " + settings.regionBytes());
        }
        memory.putLongRelease(0, 0);
        Superblock superblock = new Superblock(memory);
        superblock.format(settings);
        new Slabs(memory).format();
        new MainIndex(memory).format(settings.mainBuckets());
        new OffloadIndex(memory).format(settings.offloadBuckets());
        superblock.seal();
        return new Store(memory, clock);
    }

    /**
     * Takes up the store that a region holds. At once, unless its last process died within an update: then all links
     * are checked and made anew.
     *
     * @throws IllegalStateException when the region holds no store, or one of another layout
     */
    public static Store attach(MemoryRegion region, Clock clock) {
        return attach(new Memory(region), clock);
    }

    static Store attach(Memory memory, Clock clock) {
        new Superblock(memory).check();
        Store store = new Store(memory, clock);
        store.enter();
        store.leave();
        return store;
    }

    /** Returns the time that the store goes by. */
    public Clock clock() {
        return clock;
    }

    /** Returns the hash of its keys, for clients that look items up themselves. */
    public Keys keys() {
        return keys;
    }

    /** Returns the most bytes, from published address to value's end, of an item that the offload index knows. */
    public int offloadLimit() {
        return memory.getInt(Superblock.OFFLOAD_LIMIT);
    }

    /**
     * Returns the expiry of a memcached "exptime": relative up to 30 days, then Unix time; negative is over already.
     */
    public int expiryOf(long exptime) {
        if (exptime == 0) {
            return 0;
        }
        if (exptime < 0) {
            return LONG_AGO;
        }
        return (int) (exptime <= RELATIVE_LIMIT ? clock.seconds() + exptime : exptime);
    }

    private void enter(StoreRequest request) {
        request.hash(keys); // before the lock is taken
        enter();
    }

    private void enter() {
        acquire();
        if (superblock.isDirty()) {
            new Repair(items, clock).run();
            superblock.count(Counter.REPAIRS);
            superblock.end();
        }
        long flushAt = memory.getLong(Superblock.FLUSH_AT);
        if (flushAt != 0 && flushAt <= clock.seconds()) {
            memory.putLong(Superblock.FLUSH_AT, 0);
            commands.flush();
            superblock.end();
        }
    }

    /** Commands are shorter than falling asleep takes: a little patience first. */
    private void acquire() {
        for (int i = 0; i < SPINS; i++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }

    /** Not called when a command threw: the links stay marked as dirty then. */
    private void finish() {
        superblock.end();
    }

    private void leave() {
        lock.unlock();
    }

    /** Reads an item. @return HIT or NOT_FOUND */
    public StoreResult get(StoreRequest request, ItemVisitor visitor) {
        enter(request);
        try {
            StoreResult result = commands.get(request, visitor);
            finish();
            return result;
        } finally {
            leave();
        }
    }

    /** Reads an item and gives it the request's expiry. @param visitor null when the item is not wanted */
    public StoreResult touch(StoreRequest request, ItemVisitor visitor) {
        enter(request);
        try {
            StoreResult result = commands.touch(request, visitor);
            finish();
            return result;
        } finally {
            leave();
        }
    }

    /** Reads an item with all that meta get asks for. @return HIT, NOT_FOUND or OUT_OF_MEMORY */
    public StoreResult metaGet(StoreRequest request, ItemVisitor visitor) {
        enter(request);
        try {
            StoreResult result = commands.metaGet(request, visitor);
            finish();
            return result;
        } finally {
            leave();
        }
    }

    /** Stores a value. @return STORED, NOT_STORED, EXISTS, NOT_FOUND, TOO_LARGE or OUT_OF_MEMORY */
    public StoreResult store(StoreMode mode, StoreRequest request) {
        enter(request);
        try {
            StoreResult result = commands.store(mode, request);
            finish();
            return result;
        } finally {
            leave();
        }
    }

    /**
     * Notes that a value was refused before it was read. What the key held is gone with {@link StoreMode#SET}, so that
     * nobody takes an old value for the new one.
     *
     * @return TOO_LARGE or OUT_OF_MEMORY
     */
    public StoreResult refuse(StoreMode mode, StoreRequest request, boolean tooLarge) {
        enter(request);
        try {
            StoreResult result = commands.refuse(mode, request, tooLarge);
            finish();
            return result;
        } finally {
            leave();
        }
    }

    /**
     * Adds to or subtracts from a number.
     *
     * @param visitor takes the changed item; null when it is not wanted
     * @return STORED, NOT_FOUND, EXISTS, NON_NUMERIC or OUT_OF_MEMORY
     */
    public StoreResult arithmetic(StoreRequest request, ItemVisitor visitor) {
        enter(request);
        try {
            StoreResult result = commands.arithmetic(request, visitor);
            finish();
            return result;
        } finally {
            leave();
        }
    }

    /** Removes an item, or marks it out of date. @return DELETED, NOT_FOUND, EXISTS or OUT_OF_MEMORY */
    public StoreResult delete(StoreRequest request) {
        enter(request);
        try {
            StoreResult result = commands.delete(request);
            finish();
            return result;
        } finally {
            leave();
        }
    }

    /**
     * Removes all items, at once or when so many seconds are over. @param exptime as memcached's; 0 or less is at once
     */
    public void flushAll(long exptime) {
        enter();
        try {
            superblock.count(Counter.CMD_FLUSH);
            if (exptime <= 0) {
                memory.putLong(Superblock.FLUSH_AT, 0);
                commands.flush();
            } else {
                memory.putLong(Superblock.FLUSH_AT, Integer.toUnsignedLong(expiryOf(exptime)));
            }
            finish();
        } finally {
            leave();
        }
    }

    /**
     * Does what is due by time alone: a flush, and giving memory back of items whose time is over. To be called every
     * now and then, because peers read without a command.
     */
    public void tick() {
        enter();
        try {
            items.reclaimExpired(MOST_RECLAIMED);
            finish();
        } finally {
            leave();
        }
    }

    /** Returns what the store counts and holds. */
    public StoreStatistics statistics() {
        enter();
        try {
            return StoreStatistics.of(items);
        } finally {
            leave();
        }
    }

    /** Sets the counters to zero, as memcached's "stats reset". */
    public void resetStatistics() {
        enter();
        try {
            for (Counter counter : Counter.values()) {
                superblock.reset(counter);
            }
            finish();
        } finally {
            leave();
        }
    }

    /** Stores a value, for callers who may allocate. @param exptime as memcached's */
    public StoreResult set(byte[] key, byte[] value, int flags, long exptime) {
        return store(StoreMode.SET, request(key).value(ByteBuffer.wrap(value), 0, value.length).flags(flags)
                .expiry(expiryOf(exptime)));
    }

    /** Reads a value, for callers who may allocate. @return null when there is none */
    public byte[] get(byte[] key) {
        byte[][] found = new byte[1][];
        get(request(key), item -> {
            found[0] = new byte[item.valueLength()];
            item.copyValue(ByteBuffer.wrap(found[0]), 0);
        });
        return found[0];
    }

    /** Removes an item, for callers who may allocate. */
    public StoreResult delete(byte[] key) {
        return delete(request(key));
    }

    private static StoreRequest request(byte[] key) {
        return new StoreRequest().key(ByteBuffer.wrap(key), 0, key.length);
    }

    /** For tests: the parts, under no lock. */
    Items items() {
        return items;
    }
}
