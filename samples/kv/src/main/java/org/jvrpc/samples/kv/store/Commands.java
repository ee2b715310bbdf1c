package org.jvrpc.samples.kv.store;

/** The commands, under the store's lock. */
final class Commands {

    private final Items items;
    private final Memory memory;
    private final Superblock superblock;
    private final Clock clock;
    private final ItemView view;
    private final Arithmetic arithmetic;

    Commands(Items items, Clock clock) {
        this.items = items;
        this.clock = clock;
        memory = items.memory;
        superblock = items.superblock;
        view = new ItemView(memory);
        arithmetic = new Arithmetic(memory);
    }

    /** Returns the item of the request's key, or 0; one whose time is over is removed. */
    private long find(StoreRequest request) {
        long item = items.main.find(request.key, request.keyOffset, request.keyLength, request.hash);
        if (item == 0 || !Item.isExpired(memory.getInt(item + Item.EXPIRY), clock.seconds())) {
            return item;
        }
        superblock.begin();
        superblock.count(Counter.GET_EXPIRED);
        items.unlink(item, request.hash);
        return 0;
    }

    StoreResult get(StoreRequest request, ItemVisitor visitor) {
        long item = find(request);
        superblock.count(Counter.CMD_GET);
        if (item == 0) {
            superblock.count(Counter.GET_MISSES);
            return StoreResult.NOT_FOUND;
        }
        superblock.count(Counter.GET_HITS);
        items.countOf(item, ClassCounter.GET_HITS);
        int marks = memory.getShort(item + Item.MARKS);
        long accessed = accessed(item);
        items.lru.touch(item, clock.seconds());
        visitor.visit(view.of(item, marks, accessed, false));
        return StoreResult.HIT;
    }

    StoreResult touch(StoreRequest request, ItemVisitor visitor) {
        long item = find(request);
        superblock.count(Counter.CMD_TOUCH);
        if (item == 0) {
            superblock.count(Counter.TOUCH_MISSES);
            return StoreResult.NOT_FOUND;
        }
        long touched = withExpiry(item, request, request.expiry);
        if (touched == 0) {
            return StoreResult.OUT_OF_MEMORY;
        }
        superblock.count(Counter.TOUCH_HITS);
        items.countOf(touched, ClassCounter.TOUCH_HITS);
        int marks = memory.getShort(touched + Item.MARKS);
        long accessed = accessed(touched);
        items.lru.touch(touched, clock.seconds());
        if (visitor != null) {
            visitor.visit(view.of(touched, marks, accessed, false));
        }
        return StoreResult.HIT;
    }

    StoreResult metaGet(StoreRequest request, ItemVisitor visitor) {
        long item = find(request);
        request.created = false;
        if (item == 0 && request.vivify) {
            item = makeEmpty(request);
            request.created = item != 0;
        }
        countMetaGet(request, item);
        if (item == 0) {
            return StoreResult.NOT_FOUND;
        }
        request.expiryBefore = request.created ? 0 : memory.getInt(item + Item.EXPIRY);
        if (request.newExpiry && !request.created) {
            item = withExpiry(item, request, request.expiry);
        }
        if (item == 0) {
            return StoreResult.OUT_OF_MEMORY;
        }
        int marks = memory.getShort(item + Item.MARKS);
        long accessed = accessed(item);
        boolean won = wins(request, item, marks);
        if (won) {
            items.mark(item, Item.TOKEN_SENT);
        }
        if (!request.noUpdate) {
            items.lru.touch(item, clock.seconds());
        }
        visitor.visit(view.of(item, marks, accessed, won));
        return StoreResult.HIT;
    }

    /** One client is to renew an item: who had it made, who finds it out of date, or who finds that it soon will be. */
    private boolean wins(StoreRequest request, long item, int marks) {
        if (request.created) {
            return true;
        }
        if ((marks & Item.TOKEN_SENT) != 0) {
            return false;
        }
        long expiry = Integer.toUnsignedLong(
                request.recacheByOld ? request.expiryBefore : memory.getInt(item + Item.EXPIRY));
        return (marks & Item.STALE) != 0 || expiry != 0 && expiry < request.recacheBefore;
    }

    private void countMetaGet(StoreRequest request, long item) {
        if (request.uncounted) {
            superblock.count(Counter.CMD_META);
            return;
        }
        superblock.count(request.newExpiry ? Counter.CMD_TOUCH : Counter.CMD_GET);
        if (item == 0) {
            superblock.count(request.newExpiry ? Counter.TOUCH_MISSES : Counter.GET_MISSES);
        } else {
            superblock.count(request.newExpiry ? Counter.TOUCH_HITS : Counter.GET_HITS);
            items.countOf(item, request.newExpiry ? ClassCounter.TOUCH_HITS : ClassCounter.GET_HITS);
        }
    }

    private long makeEmpty(StoreRequest request) {
        superblock.begin();
        long item = items.allocate(request, 0, 0);
        if (item != 0) {
            items.seal(item, superblock.nextVersion(), 0, request.vivifyExpiry);
            items.link(item, request.hash);
        }
        return item;
    }

    /**
     * Puts an item of the same content and version, but another expiry, into the place of one. @return 0 without memory
     */
    private long withExpiry(long old, StoreRequest request, int expiry) {
        if (memory.getInt(old + Item.EXPIRY) == expiry) {
            return old;
        }
        return renew(old, request, memory.getLong(old + Item.VERSION), expiry);
    }

    private long renew(long old, StoreRequest request, long version, int expiry) {
        superblock.begin();
        int valueLength = memory.getInt(old + Item.VALUE_LENGTH);
        long item = items.allocate(request, valueLength, old);
        if (item == 0) {
            return 0;
        }
        memory.copy(valueOf(old), valueOf(item), valueLength);
        memory.putShort(item + Item.MARKS, memory.getShort(old + Item.MARKS) & ~Item.INDEXED);
        memory.putInt(item + Item.ACCESSED, memory.getInt(old + Item.ACCESSED));
        items.seal(item, version, memory.getInt(old + Item.FLAGS), expiry);
        items.replace(old, item, request.hash);
        return item;
    }

    private long valueOf(long item) {
        return item + Item.KEY + memory.getShort(item + Item.KEY_LENGTH);
    }

    private long accessed(long item) {
        return Integer.toUnsignedLong(memory.getInt(item + Item.ACCESSED));
    }

    StoreResult store(StoreMode mode, StoreRequest request) {
        superblock.count(Counter.CMD_SET);
        if (request.valueLength > Item.MAX_VALUE) {
            return refuse(mode, request, true);
        }
        long old = find(request);
        StoreResult refused = condition(mode, request, old);
        if (refused != null) {
            return refused;
        }
        superblock.begin();
        boolean joins = mode == StoreMode.APPEND || mode == StoreMode.PREPEND;
        int oldLength = joins ? memory.getInt(old + Item.VALUE_LENGTH) : 0;
        int length = oldLength + request.valueLength;
        long item = length > Item.MAX_VALUE ? 0 : items.allocate(request, length, old);
        if (item == 0) {
            return joins ? StoreResult.NOT_STORED : refuse(mode, request, false);
        }
        long value = item + Item.KEY + request.keyLength;
        if (joins) {
            memory.putShort(item + Item.MARKS, 0);
            memory.copy(valueOf(old), mode == StoreMode.APPEND ? value : value + request.valueLength, oldLength);
        }
        if (request.valueLength > 0) {
            memory.copyIn(mode == StoreMode.APPEND ? value + oldLength : value,
                    request.value, request.valueOffset, request.valueLength);
        }
        finish(request, old, item, joins);
        return StoreResult.STORED;
    }

    private void finish(StoreRequest request, long old, long item, boolean joins) {
        boolean overNewer = old != 0 && request.stale && request.version != 0
                && Long.compareUnsigned(request.version, memory.getLong(old + Item.VERSION)) < 0;
        if (overNewer) {
            items.mark(item, Item.STALE | memory.getShort(old + Item.MARKS) & Item.TOKEN_SENT);
        }
        int expiry = overNewer || joins ? memory.getInt(old + Item.EXPIRY) : request.expiry;
        int flags = joins ? memory.getInt(old + Item.FLAGS) : request.flags;
        request.resultVersion = superblock.nextVersion();
        items.seal(item, request.resultVersion, flags, expiry);
        if (old == 0) {
            items.link(item, request.hash);
        } else {
            items.replace(old, item, request.hash);
        }
        items.countOf(item, ClassCounter.CMD_SET);
    }

    /** Returns why nothing is stored, or null when it is. */
    private StoreResult condition(StoreMode mode, StoreRequest request, long old) {
        boolean matches = old != 0 && request.version == memory.getLong(old + Item.VERSION);
        switch (mode) {
            case ADD:
                if (old != 0) {
                    memory.putInt(old + Item.ACCESSED, (int) clock.seconds());
                }
                return old == 0 ? null : StoreResult.NOT_STORED;
            case REPLACE:
                return old == 0 ? StoreResult.NOT_STORED : null;
            case APPEND:
            case PREPEND:
                return old == 0 ? StoreResult.NOT_STORED
                        : request.version == 0 || matches ? null : StoreResult.EXISTS;
            case CAS:
                return compare(request, old, matches);
            default:
                return null;
        }
    }

    private StoreResult compare(StoreRequest request, long old, boolean matches) {
        if (old == 0) {
            superblock.count(Counter.CAS_MISSES);
            return StoreResult.NOT_FOUND;
        }
        boolean older = request.stale && request.version != 0
                && Long.compareUnsigned(request.version, memory.getLong(old + Item.VERSION)) < 0;
        boolean good = request.version != 0 && (matches || older);
        superblock.count(good ? Counter.CAS_HITS : Counter.CAS_BADVAL);
        items.countOf(old, good ? ClassCounter.CAS_HITS : ClassCounter.CAS_BADVAL);
        return good ? null : StoreResult.EXISTS;
    }

    StoreResult refuse(StoreMode mode, StoreRequest request, boolean tooLarge) {
        superblock.count(tooLarge ? Counter.STORE_TOO_LARGE : Counter.STORE_NO_MEMORY);
        long old = mode == StoreMode.SET ? find(request) : 0;
        if (old != 0) {
            superblock.begin();
            items.unlink(old, request.hash);
        }
        return tooLarge ? StoreResult.TOO_LARGE : StoreResult.OUT_OF_MEMORY;
    }

    StoreResult arithmetic(StoreRequest request, ItemVisitor visitor) {
        long old = find(request);
        request.created = false;
        if (old == 0) {
            return request.vivify ? makeNumber(request, visitor) : missing(request);
        }
        if (memory.getInt(old + Item.VALUE_LENGTH) == 0) {
            return StoreResult.NON_NUMERIC;
        }
        if (request.version != 0 && request.version != memory.getLong(old + Item.VERSION)) {
            return StoreResult.EXISTS;
        }
        if (!arithmetic.compute(valueOf(old), memory.getInt(old + Item.VALUE_LENGTH), request)) {
            return StoreResult.NON_NUMERIC;
        }
        superblock.begin();
        superblock.count(request.decrement ? Counter.DECR_HITS : Counter.INCR_HITS);
        items.countOf(old, request.decrement ? ClassCounter.DECR_HITS : ClassCounter.INCR_HITS);
        int length = Math.max(arithmetic.length(), memory.getInt(old + Item.VALUE_LENGTH));
        long item = items.allocate(request, length, old);
        if (item == 0) {
            return StoreResult.OUT_OF_MEMORY;
        }
        request.expiryBefore = memory.getInt(old + Item.EXPIRY);
        arithmetic.write(item + Item.KEY + request.keyLength, length);
        boolean inPlace = length == memory.getInt(old + Item.VALUE_LENGTH);
        memory.putShort(item + Item.MARKS, inPlace ? memory.getShort(old + Item.MARKS) & ~Item.INDEXED : 0);
        request.resultVersion = superblock.nextVersion();
        items.seal(item, request.resultVersion, memory.getInt(old + Item.FLAGS),
                request.newExpiry ? request.expiry : request.expiryBefore);
        items.replace(old, item, request.hash);
        show(item, visitor);
        return StoreResult.STORED;
    }

    private StoreResult missing(StoreRequest request) {
        superblock.count(request.decrement ? Counter.DECR_MISSES : Counter.INCR_MISSES);
        return StoreResult.NOT_FOUND;
    }

    private StoreResult makeNumber(StoreRequest request, ItemVisitor visitor) {
        superblock.begin();
        arithmetic.set(request.initial, request);
        long item = items.allocate(request, arithmetic.length(), 0);
        if (item == 0) {
            return StoreResult.OUT_OF_MEMORY;
        }
        arithmetic.write(item + Item.KEY + request.keyLength, arithmetic.length());
        request.created = true;
        request.expiryBefore = 0;
        request.resultVersion = superblock.nextVersion();
        items.seal(item, request.resultVersion, 0, request.vivifyExpiry);
        items.link(item, request.hash);
        show(item, visitor);
        return StoreResult.STORED;
    }

    private void show(long item, ItemVisitor visitor) {
        if (visitor != null) {
            visitor.visit(view.of(item, memory.getShort(item + Item.MARKS), accessed(item), false));
        }
    }

    StoreResult delete(StoreRequest request) {
        long item = find(request);
        if (item == 0) {
            superblock.count(Counter.DELETE_MISSES);
            return StoreResult.NOT_FOUND;
        }
        if (request.version != 0 && request.version != memory.getLong(item + Item.VERSION)) {
            superblock.count(Counter.DELETE_MISSES);
            return StoreResult.EXISTS;
        }
        if (request.stale) {
            return markStale(item, request);
        }
        superblock.begin();
        superblock.count(Counter.DELETE_HITS);
        items.countOf(item, ClassCounter.DELETE_HITS);
        items.unlink(item, request.hash);
        return StoreResult.DELETED;
    }

    private StoreResult markStale(long old, StoreRequest request) {
        int expiry = request.newExpiry ? request.expiry : memory.getInt(old + Item.EXPIRY);
        long item = renew(old, request, superblock.nextVersion(), expiry);
        if (item == 0) {
            return StoreResult.OUT_OF_MEMORY;
        }
        memory.putShort(item + Item.MARKS,
                memory.getShort(item + Item.MARKS) & ~Item.TOKEN_SENT | Item.STALE);
        return StoreResult.DELETED;
    }

    /** Removes all items: peers read without asking, so that it is not enough to remember a time. */
    void flush() {
        superblock.begin();
        for (int c = 0; c < SizeClasses.count(); c++) {
            for (int list = 0; list < Lru.LISTS; list++) {
                for (long item = items.lru.last(c, list); item != 0; item = items.lru.last(c, list)) {
                    superblock.count(Counter.GET_FLUSHED);
                    items.unlink(item);
                }
            }
        }
    }
}
