package org.jvrpc.samples.kv.store;

/**
 * Pages, and the chunks that they are cut into. A page has 1 MiB and 4 KiB, so that the longest item fits into one; it
 * lies in one window of 1 GiB. A freed chunk goes to its class's quarantine first, because a peer may be reading it.
 *
 * <p>A chunk is named by the offset where its item is published, {@link Item#SERVER_HEADER} behind its begin. Free
 * chunks and those in quarantine are linked by {@link Item#NEXT}.
 */
final class Slabs {

    /** Bytes of a page. */
    static final int PAGE = (1 << 20) + 4096;

    private static final int PER_WINDOW = (int) (Memory.WINDOW / PAGE);

    private final Memory memory;
    private final Superblock superblock;

    Slabs(Memory memory) {
        this.memory = memory;
        superblock = new Superblock(memory);
    }

    /** Returns how many pages a limit in bytes allows. */
    static int pages(long memoryLimit) {
        return (int) Math.min(Integer.MAX_VALUE / 2, memoryLimit / PAGE);
    }

    /** Returns where a page begins in a store of so many pages at most. */
    static long page(int number, int maxPages) {
        int place = number + first(maxPages);
        return ((long) (place / PER_WINDOW) << Memory.WINDOW_BITS) + (long) (place % PER_WINDOW) * PAGE;
    }

    /** Returns where the last of so many pages ends. */
    static long end(int maxPages) {
        return page(maxPages - 1, maxPages) + PAGE;
    }

    private static int first(int maxPages) {
        return (Superblock.PAGE_CLASSES + maxPages + PAGE - 1) / PAGE;
    }

    void format() {
        for (int c = 0; c < SizeClasses.count(); c++) {
            long record = ClassRecord.at(c);
            for (int i = 0; i < ClassRecord.BYTES; i += Long.BYTES) {
                memory.putLong(record + i, 0);
            }
            memory.putInt(record + ClassRecord.CHUNK, SizeClasses.chunk(c));
            memory.putInt(record + ClassRecord.PER_PAGE, PAGE / SizeClasses.chunk(c));
        }
        for (int p = 0; p < maxPages(); p++) {
            memory.putByte(Superblock.PAGE_CLASSES + p, 0);
        }
    }

    int maxPages() {
        return memory.getInt(Superblock.MAX_PAGES);
    }

    int pagesInUse() {
        return memory.getInt(Superblock.PAGES);
    }

    long page(int number) {
        return page(number, maxPages());
    }

    /** Returns the number of the page in use that an offset lies in, or -1. */
    int pageOf(long offset) {
        if (offset < 0 || offset >= memory.length()) {
            return -1;
        }
        int inWindow = (int) (offset & Memory.WINDOW - 1) / PAGE;
        int number = (int) (offset >>> Memory.WINDOW_BITS) * PER_WINDOW + inWindow - first(maxPages());
        return inWindow < PER_WINDOW && number >= 0 && number < pagesInUse() ? number : -1;
    }

    /** Returns the class of a page, -1 for a page not in use. */
    int classOf(int page) {
        return memory.getByte(Superblock.PAGE_CLASSES + page) - 1;
    }

    /** Returns the item's place in a page's chunk. */
    long chunk(int page, int sizeClass, int number) {
        return page(page) + (long) number * SizeClasses.chunk(sizeClass) + Item.SERVER_HEADER;
    }

    long pagesOf(int sizeClass) {
        return memory.getLong(ClassRecord.at(sizeClass) + ClassRecord.PAGES);
    }

    /** Takes a chunk that nobody can be reading any more. @return 0 when there is none */
    long take(int sizeClass, long nowNs) {
        long record = ClassRecord.at(sizeClass);
        long free = memory.getLong(record + ClassRecord.FREE);
        if (free != 0) {
            memory.putLong(record + ClassRecord.FREE, memory.getLong(free + Item.NEXT));
            memory.putLong(record + ClassRecord.FREE_COUNT, memory.getLong(record + ClassRecord.FREE_COUNT) - 1);
            return free;
        }
        long oldest = memory.getLong(record + ClassRecord.QUARANTINE_FIRST);
        if (oldest != 0 && isOver(memory.getLong(oldest + Item.PREVIOUS), nowNs)) {
            return takeFromQuarantine(sizeClass);
        }
        return openPage(sizeClass) ? take(sizeClass, nowNs) : 0;
    }

    /** A time of another process's clock that is not yet reached counts as over. */
    private boolean isOver(long freedNs, long nowNs) {
        long waited = nowNs - freedNs;
        return waited >= memory.getLong(Superblock.GRACE) || waited < 0;
    }

    /** Takes the chunk that was freed first, however long ago that is. @return 0 when there is none */
    long takeFromQuarantine(int sizeClass) {
        long record = ClassRecord.at(sizeClass);
        long first = memory.getLong(record + ClassRecord.QUARANTINE_FIRST);
        if (first != 0) {
            long next = memory.getLong(first + Item.NEXT);
            memory.putLong(record + ClassRecord.QUARANTINE_FIRST, next);
            if (next == 0) {
                memory.putLong(record + ClassRecord.QUARANTINE_LAST, 0);
            }
            memory.putLong(record + ClassRecord.QUARANTINE_COUNT,
                    memory.getLong(record + ClassRecord.QUARANTINE_COUNT) - 1);
        }
        return first;
    }

    /** Gives a chunk back whose item is DEAD. */
    void free(long item, long nowNs) {
        long record = ClassRecord.at(memory.getByte(item + Item.CLASS));
        memory.putLong(item + Item.PREVIOUS, nowNs);
        memory.putLong(item + Item.NEXT, 0);
        long last = memory.getLong(record + ClassRecord.QUARANTINE_LAST);
        memory.putLong(last == 0 ? record + ClassRecord.QUARANTINE_FIRST : last + Item.NEXT, item);
        memory.putLong(record + ClassRecord.QUARANTINE_LAST, item);
        memory.putLong(record + ClassRecord.QUARANTINE_COUNT,
                memory.getLong(record + ClassRecord.QUARANTINE_COUNT) + 1);
    }

    /** Gives a chunk back that no peer ever read. */
    void freeAtOnce(long item, int sizeClass) {
        long record = ClassRecord.at(sizeClass);
        memory.putLong(item + Item.NEXT, memory.getLong(record + ClassRecord.FREE));
        memory.putLong(record + ClassRecord.FREE, item);
        memory.putLong(record + ClassRecord.FREE_COUNT, memory.getLong(record + ClassRecord.FREE_COUNT) + 1);
    }

    private boolean openPage(int sizeClass) {
        int page = pagesInUse();
        if (page >= maxPages()) {
            return false;
        }
        memory.putInt(Superblock.PAGES, page + 1);
        cut(page, sizeClass);
        return true;
    }

    /** Gives a page to a class and cuts it into free chunks. None of its bytes may be in use. */
    void cut(int page, int sizeClass) {
        int before = classOf(page);
        if (before >= 0) {
            memory.putLong(ClassRecord.at(before) + ClassRecord.PAGES, pagesOf(before) - 1);
        }
        int perPage = PAGE / SizeClasses.chunk(sizeClass);
        // States first: a page that is of the new class has no item in it, wherever this is cut off.
        for (int i = 0; i < perPage; i++) {
            memory.putLong(chunk(page, sizeClass, i) + Item.STATE, Item.DEAD);
        }
        memory.putByte(Superblock.PAGE_CLASSES + page, sizeClass + 1);
        memory.putLong(ClassRecord.at(sizeClass) + ClassRecord.PAGES, pagesOf(sizeClass) + 1);
        for (int i = perPage - 1; i >= 0; i--) {
            freeAtOnce(chunk(page, sizeClass, i), sizeClass);
        }
    }

    /** Takes all free chunks of a page, and those in quarantine, from their lists. */
    void dropChunksOf(int page, int sizeClass) {
        long from = page(page);
        long record = ClassRecord.at(sizeClass);
        filter(record + ClassRecord.FREE, 0, record + ClassRecord.FREE_COUNT, from);
        filter(record + ClassRecord.QUARANTINE_FIRST, record + ClassRecord.QUARANTINE_LAST,
                record + ClassRecord.QUARANTINE_COUNT, from);
    }

    private void filter(long first, long last, long count, long from) {
        long kept = 0;
        long link = first;
        long end = 0;
        for (long item = memory.getLong(first); item != 0; item = memory.getLong(item + Item.NEXT)) {
            if (item < from || item >= from + PAGE) {
                memory.putLong(link, item);
                link = item + Item.NEXT;
                end = item;
                kept++;
            }
        }
        memory.putLong(link, 0);
        memory.putLong(count, kept);
        if (last != 0) {
            memory.putLong(last, end);
        }
    }
}
