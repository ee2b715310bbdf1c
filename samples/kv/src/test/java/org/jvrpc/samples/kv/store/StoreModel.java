package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Runs random commands on a store and on a map, and compares. No eviction: the store must be large enough. */
final class StoreModel {

    /** What a key has. */
    record Entry(byte[] value, int flags, long expiry) {
    }

    final Map<String, Entry> entries = new HashMap<>();
    private final Random random;
    private final FakeClock clock;
    private final int keys;
    private final int longest;
    private final StoreRequest request = new StoreRequest();

    StoreModel(Random random, FakeClock clock, int keys, int longest) {
        this.random = random;
        this.clock = clock;
        this.keys = keys;
        this.longest = longest;
    }

    /** One command. Changes the map before the store, so that after a cut the map shows what was to be. */
    String step(Store store) {
        String key = "key" + random.nextInt(keys);
        begin(key);
        switch (random.nextInt(12)) {
            case 0:
            case 1:
            case 2:
                return set(store, key);
            case 3:
                return conditional(store, key);
            case 4:
                return join(store, key);
            case 5:
                return number(store, key);
            case 6:
                return touch(store, key);
            case 7:
                boolean had = live(key) != null;
                entries.remove(key);
                assertEquals(had ? StoreResult.DELETED : StoreResult.NOT_FOUND, store.delete(request));
                return key;
            case 8:
                clock.addSeconds(random.nextInt(3));
                return key;
            case 9:
                return rarely(store, key);
            default:
                compare(store, key);
                return key;
        }
    }

    private void begin(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
        request.key(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    private Entry live(String key) {
        Entry entry = entries.get(key);
        if (entry != null && entry.expiry() != 0 && entry.expiry() <= clock.seconds()) {
            entries.remove(key);
            return null;
        }
        return entry;
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(1 + random.nextInt(longest))];
        random.nextBytes(bytes);
        return bytes;
    }

    private Entry entry(byte[] value) {
        int exptime = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 0;
        return new Entry(value, random.nextInt(), exptime == 0 ? 0 : clock.seconds() + exptime);
    }

    private StoreRequest with(Entry entry) {
        return request.value(ByteBuffer.wrap(entry.value()), 0, entry.value().length).flags(entry.flags())
                .expiry((int) entry.expiry());
    }

    private String set(Store store, String key) {
        Entry entry = entry(bytes());
        entries.put(key, entry);
        assertEquals(StoreResult.STORED, store.store(StoreMode.SET, with(entry)));
        return key;
    }

    private String conditional(Store store, String key) {
        boolean add = random.nextBoolean();
        boolean stores = live(key) == null == add;
        Entry entry = entry(bytes());
        if (stores) {
            entries.put(key, entry);
        }
        assertEquals(stores ? StoreResult.STORED : StoreResult.NOT_STORED,
                store.store(add ? StoreMode.ADD : StoreMode.REPLACE, with(entry)));
        return key;
    }

    private String join(Store store, String key) {
        Entry old = live(key);
        byte[] more = bytes();
        boolean append = random.nextBoolean();
        if (old != null) {
            byte[] joined = new byte[old.value().length + more.length];
            System.arraycopy(old.value(), 0, joined, append ? 0 : more.length, old.value().length);
            System.arraycopy(more, 0, joined, append ? old.value().length : 0, more.length);
            if (joined.length > 4 * longest) {
                return key;
            }
            entries.put(key, new Entry(joined, old.flags(), old.expiry()));
        }
        assertEquals(old == null ? StoreResult.NOT_STORED : StoreResult.STORED, store.store(
                append ? StoreMode.APPEND : StoreMode.PREPEND, request.value(ByteBuffer.wrap(more), 0, more.length)));
        return key;
    }

    private String number(Store store, String key) {
        long number = random.nextInt(1000);
        Entry entry = new Entry(Long.toString(number).getBytes(StandardCharsets.US_ASCII), 3, 0);
        entries.put(key, entry);
        assertEquals(StoreResult.STORED, store.store(StoreMode.SET, with(entry)));
        long sum = number + 99_999;
        entries.put(key, new Entry(Long.toString(sum).getBytes(StandardCharsets.US_ASCII), 3, 0));
        begin(key);
        assertEquals(StoreResult.STORED, store.arithmetic(request.delta(99_999, false), null));
        assertEquals(sum, request.resultNumber());
        return key;
    }

    private String touch(Store store, String key) {
        Entry old = live(key);
        long expiry = clock.seconds() + 1 + random.nextInt(6);
        if (old != null) {
            entries.put(key, new Entry(old.value(), old.flags(), expiry));
        }
        assertEquals(old == null ? StoreResult.NOT_FOUND : StoreResult.HIT,
                store.touch(request.expiry((int) expiry), null));
        return key;
    }

    private String rarely(Store store, String key) {
        if (random.nextInt(60) == 0) {
            entries.clear();
            store.flushAll(0);
        }
        return key;
    }

    void compareAll(Store store) {
        for (int i = 0; i < keys; i++) {
            compare(store, "key" + i);
        }
    }

    void compare(Store store, String key) {
        Entry expected = live(key);
        begin(key);
        StoreResult result = store.get(request, item -> {
            assertArrayEquals(expected == null ? null : expected.value(), valueOf(item), key);
            assertEquals(expected.flags(), item.flags());
            assertEquals(expected.expiry(), item.expiry());
        });
        assertEquals(expected == null ? StoreResult.NOT_FOUND : StoreResult.HIT, result, key);
    }

    static byte[] valueOf(ItemView item) {
        byte[] value = new byte[item.valueLength()];
        item.copyValue(ByteBuffer.wrap(value), 0);
        return value;
    }
}
