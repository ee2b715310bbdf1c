package org.jvrpc.samples.kv.store;

/**
 * Segmented LRU, one for each size class, of memcached's kind. A new item comes into HOT. What falls out of HOT goes to
 * WARM when it was read at least twice there ({@link Item#ACTIVE}), else to COLD; what falls out of WARM goes to its
 * begin again or to COLD; what is read in COLD goes to WARM when it comes to COLD's end. COLD's end is evicted. So a
 * scan of keys that are read once washes HOT and COLD only. HOT keeps to a fifth of the class's items and WARM to two
 * fifths; a read changes marks alone, and items move when others are stored.
 */
final class Lru {

    static final int HOT = 0;
    static final int WARM = 1;
    static final int COLD = 2;
    static final int LISTS = 3;

    private static final int HOT_SHARE = 20;
    private static final int WARM_SHARE = 40;
    private static final int MOVES = 3;

    private final Memory memory;
    private final Superblock superblock;

    Lru(Memory memory) {
        this.memory = memory;
        superblock = new Superblock(memory);
    }

    long first(int sizeClass, int list) {
        return memory.getLong(ClassRecord.list(sizeClass, list) + ClassRecord.LIST_FIRST);
    }

    long last(int sizeClass, int list) {
        return memory.getLong(ClassRecord.list(sizeClass, list) + ClassRecord.LIST_LAST);
    }

    long count(int sizeClass, int list) {
        return memory.getLong(ClassRecord.list(sizeClass, list) + ClassRecord.LIST_COUNT);
    }

    void insert(long item, int list) {
        long record = ClassRecord.list(memory.getByte(item + Item.CLASS), list);
        long first = memory.getLong(record + ClassRecord.LIST_FIRST);
        memory.putByte(item + Item.LIST, list);
        memory.putLong(item + Item.PREVIOUS, 0);
        memory.putLong(item + Item.NEXT, first);
        memory.putLong(first == 0 ? record + ClassRecord.LIST_LAST : first + Item.PREVIOUS, item);
        memory.putLong(record + ClassRecord.LIST_FIRST, item);
        memory.putLong(record + ClassRecord.LIST_COUNT, memory.getLong(record + ClassRecord.LIST_COUNT) + 1);
    }

    void remove(long item) {
        long record = ClassRecord.list(memory.getByte(item + Item.CLASS), memory.getByte(item + Item.LIST));
        long previous = memory.getLong(item + Item.PREVIOUS);
        long next = memory.getLong(item + Item.NEXT);
        memory.putLong(previous == 0 ? record + ClassRecord.LIST_FIRST : previous + Item.NEXT, next);
        memory.putLong(next == 0 ? record + ClassRecord.LIST_LAST : next + Item.PREVIOUS, previous);
        memory.putLong(record + ClassRecord.LIST_COUNT, memory.getLong(record + ClassRecord.LIST_COUNT) - 1);
    }

    /** Marks an item that was read. */
    void touch(long item, long nowSeconds) {
        int marks = memory.getShort(item + Item.MARKS);
        int touched = marks | ((marks & Item.FETCHED) == 0 ? Item.FETCHED : Item.ACTIVE);
        if (touched != marks) {
            memory.putShort(item + Item.MARKS, touched);
        }
        if (memory.getInt(item + Item.ACCESSED) != (int) nowSeconds) {
            memory.putInt(item + Item.ACCESSED, (int) nowSeconds);
        }
    }

    /** Moves what has fallen out of HOT and WARM; a few at a time, because every item that is stored calls it. */
    void balance(int sizeClass) {
        long all = count(sizeClass, HOT) + count(sizeClass, WARM) + count(sizeClass, COLD);
        for (int i = 0; i < MOVES && count(sizeClass, HOT) > 1 + all * HOT_SHARE / 100; i++) {
            demote(last(sizeClass, HOT));
        }
        for (int i = 0; i < MOVES && count(sizeClass, WARM) > 1 + all * WARM_SHARE / 100; i++) {
            demote(last(sizeClass, WARM));
        }
    }

    private void demote(long item) {
        if (isActive(item)) {
            boolean within = memory.getByte(item + Item.LIST) == WARM;
            move(item, WARM);
            superblock.count(within ? Counter.MOVES_WITHIN_LRU : Counter.MOVES_TO_WARM);
        } else {
            move(item, COLD);
            superblock.count(Counter.MOVES_TO_COLD);
        }
    }

    boolean isActive(long item) {
        return (memory.getShort(item + Item.MARKS) & Item.ACTIVE) != 0;
    }

    /** Moves an item to the begin of a list. */
    void move(long item, int list) {
        remove(item);
        memory.putShort(item + Item.MARKS, memory.getShort(item + Item.MARKS) & ~Item.ACTIVE);
        insert(item, list);
    }
}
