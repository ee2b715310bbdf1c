package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.Hashes;

/** Memory, time and the indexes. */
class StoreTest {

    private final FakeClock clock = new FakeClock(1_700_000_000);
    private TestRegion region;

    @AfterEach
    void close() {
        if (region != null) {
            region.close();
        }
    }

    private Store store(StoreSettings settings) {
        region = new TestRegion(settings.regionBytes());
        return Store.create(region.region(), settings, clock);
    }

    private static byte[] key(int number) {
        return ("key-" + number).getBytes();
    }

    @Test
    void aFullStoreEvictsWhatIsNotReadAndKeepsWhatIs() {
        Store store = store(StoreSettings.ofMemory(8L << 20));
        byte[] value = new byte[1000];
        int keys = 40_000;
        for (int i = 0; i < keys; i++) {
            assertEquals(StoreResult.STORED, store.set(key(i), value, 0, 0));
            for (int hot = 0; hot < 40 && i % 500 == 0; hot++) {
                store.get(key(hot));
            }
            clock.addNanos(1000);
        }
        Audit.check(store);
        StoreStatistics statistics = store.statistics();
        assertTrue(statistics.get(Counter.EVICTIONS) > keys / 2, "evictions=" + statistics.get(Counter.EVICTIONS));
        assertTrue(statistics.pages() <= (8 << 20) / Slabs.PAGE);
        int kept = 0;
        for (int hot = 0; hot < 40; hot++) {
            kept += store.get(key(hot)) == null ? 0 : 1;
        }
        assertEquals(40, kept, "of 40 keys that are read all the time");
        assertNull(store.get(key(1000)));
        assertNotNull(store.get(key(keys - 1)));
    }

    @Test
    void aStoreThatIsMadeWhereAnotherWasHasNothingOfIt() {
        StoreSettings settings = StoreSettings.ofMemory(8L << 20);
        Store old = store(settings);
        for (int i = 0; i < 100; i++) {
            old.set(key(i), new byte[10], 0, 0);
        }
        Store made = Store.create(region.region(), settings, clock);
        Audit.check(made);
        assertNull(made.get(key(1)));
        assertEquals(StoreResult.STORED, made.set(key(1), new byte[10], 0, 0));
        Audit.check(made);
    }

    @Test
    void aClassWithoutAPageTakesOneFromAnother() {
        Store store = store(StoreSettings.ofMemory(8L << 20));
        for (int i = 0; i < 20_000; i++) {
            store.set(key(i), new byte[1000], 0, 0);
        }
        byte[] large = new byte[Item.MAX_VALUE];
        new Random(1).nextBytes(large);
        for (int i = 0; i < 12; i++) {
            assertEquals(StoreResult.STORED, store.set(("large-" + i).getBytes(), large, 0, 0));
            assertArrayEquals(large, store.get(("large-" + i).getBytes()));
        }
        assertTrue(store.statistics().get(Counter.SLABS_MOVED) > 0);
        Audit.check(store);
    }

    @Test
    void withoutEvictionAFullStoreRefusesAndKeepsAll() {
        Store store = store(StoreSettings.ofMemory(4L << 20).withEvict(false));
        int stored = 0;
        while (store.set(key(stored), new byte[5000], 0, 0) == StoreResult.STORED) {
            stored++;
        }
        assertTrue(stored > 500, "stored=" + stored);
        for (int i = 0; i < stored; i++) {
            assertNotNull(store.get(key(i)), "key " + i);
        }
        assertEquals(StoreResult.DELETED, store.delete(key(0)));
        assertEquals(StoreResult.STORED, store.set(key(-1), new byte[5000], 0, 0));
        Audit.check(store);
    }

    @Test
    void aValueOfOneMebibyteFitsAndALongerOneIsRefused() {
        Store store = store(StoreSettings.ofMemory(8L << 20));
        byte[] longKey = new byte[Keys.MAX_LENGTH];
        assertEquals(StoreResult.STORED, store.set(longKey, new byte[Item.MAX_VALUE], 0, 0));
        assertEquals(Item.MAX_VALUE, store.get(longKey).length);
        assertEquals(StoreResult.TOO_LARGE, store.set(longKey, new byte[Item.MAX_VALUE + 1], 0, 0));
        assertNull(store.get(longKey), "what was there is not taken for what was refused");
        Audit.check(store);
    }

    @Test
    void expiredItemsAreReclaimedBeforeOthersAreEvicted() {
        Store store = store(StoreSettings.ofMemory(4L << 20));
        for (int i = 0; i < 1500; i++) {
            store.set(key(i), new byte[1000], 0, 10);
        }
        clock.addSeconds(11);
        for (int i = 0; i < 1500; i++) {
            store.set(key(10_000 + i), new byte[1000], 0, 0);
            clock.addNanos(100_000);
        }
        for (int i = 0; i < 1500; i++) {
            store.set(key(20_000 + i), new byte[1000], 0, 0);
            clock.addNanos(100_000);
        }
        assertTrue(store.statistics().get(Counter.RECLAIMED) > 500,
                "reclaimed=" + store.statistics().get(Counter.RECLAIMED));
        Audit.check(store);
    }

    @Test
    void expiryIsRelativeAbsoluteOrOver() {
        Store store = store(StoreSettings.ofMemory(4L << 20));
        store.set(key(1), new byte[1], 0, 2);
        store.set(key(2), new byte[1], 0, clock.seconds() + 5);
        store.set(key(3), new byte[1], 0, -1);
        store.set(key(4), new byte[1], 0, 60L * 60 * 24 * 30 + 1);
        store.set(key(5), new byte[1], 0, 60L * 60 * 24 * 30);
        assertNull(store.get(key(3)));
        assertNull(store.get(key(4)), "Unix time in 1970");
        assertNotNull(store.get(key(5)));
        clock.addSeconds(1);
        assertNotNull(store.get(key(1)));
        clock.addSeconds(1);
        assertNull(store.get(key(1)));
        assertNotNull(store.get(key(2)));
        clock.addSeconds(3);
        assertNull(store.get(key(2)));
        Audit.check(store);
    }

    @Test
    void aDelayedFlushRemovesEverythingWhenItIsDue() {
        Store store = store(StoreSettings.ofMemory(4L << 20));
        store.set(key(1), new byte[1], 0, 0);
        store.flushAll(2);
        clock.addSeconds(1);
        assertNotNull(store.get(key(1)));
        clock.addSeconds(1);
        store.tick();
        assertEquals(0, store.statistics().items());
        assertNull(store.get(key(1)));
        Audit.check(store);
    }

    @Test
    void bothIndexesGrowWithTheItems() {
        Store store = store(StoreSettings.ofMemory(16L << 20).withBuckets(1024, 4096));
        for (int i = 0; i < 12_000; i++) {
            store.set(key(i), new byte[10], 0, 0);
        }
        StoreStatistics statistics = store.statistics();
        assertTrue(statistics.mainBuckets() >= 2048, "main=" + statistics.mainBuckets());
        assertTrue(statistics.offloadBuckets() >= 16_384, "offload=" + statistics.offloadBuckets());
        assertTrue(statistics.offloadEntries() > 11_000, "entries=" + statistics.offloadEntries());
        Audit.check(store);
        for (int i = 0; i < 12_000; i++) {
            assertNotNull(store.get(key(i)));
        }
    }

    @Test
    void whatIsOverIsReclaimedWithoutBeingAskedForAndPastAFewThatLive() {
        Store store = store(StoreSettings.ofMemory(4L << 20));
        for (int i = 0; i < 3; i++) {
            store.set(key(i), new byte[10], 0, 0);
        }
        for (int i = 10; i < 200; i++) {
            store.set(key(i), new byte[10], 0, 5);
        }
        clock.addSeconds(6);
        store.tick();
        assertEquals(3, store.statistics().items());
        assertEquals(190, store.statistics().get(Counter.RECLAIMED));
        assertEquals(190, store.statistics().get(Counter.EXPIRED_UNFETCHED));
        assertEquals(0, store.statistics().get(Counter.GET_EXPIRED));
        Audit.check(store);
    }

    @Test
    void aBucketBearsKeyAddressAndLengthAsAProgramNeedsThem() {
        Store store = store(StoreSettings.ofMemory(4L << 20));
        store.set(key(7), "value".getBytes(), 9, 0);
        long key48 = Keys.key48(store.keys().hash(ByteBuffer.wrap(key(7)), 0, key(7).length));
        long mask = store.statistics().offloadBuckets() - 1;
        ByteBuffer bucket = ByteBuffer.allocateDirect(Bucket.BYTES);
        store.items().offload.copy(Hashes.first(key48, mask), bucket, 0);
        assertEquals(Bucket.image(key48), Bucket.image(bucket, 0));
        assertEquals(key48, Bucket.key(Bucket.image(bucket, 0)));
        assertEquals(3, bucket.get(7));
        assertEquals((byte) (key48 >>> 40), bucket.get(0));
        assertEquals(0, bucket.get(3));
        assertEquals((byte) key48, bucket.get(6));
        int length = Bucket.length(bucket, 0);
        assertEquals(Item.length(key(7).length, 5), length);
        ByteBuffer copy = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        copy.put(region.region().buffer(Bucket.address(bucket, 0) - region.region().address(), length)).flip();
        ItemReader reader = new ItemReader();
        assertEquals(ReadOutcome.HIT, reader.verify(copy, key(7), clock.seconds()));
        assertEquals(9, reader.flags());
        assertEquals(5, reader.valueLength());
        assertEquals('v', copy.get(reader.valueOffset()));
        copy.position(0);
        assertEquals(ReadOutcome.OTHER_KEY, reader.verify(copy, key(8), clock.seconds()));
        copy.position(0);
        copy.put(reader.valueOffset(), (byte) 'w');
        assertEquals(ReadOutcome.TORN, reader.verify(copy, key(7), clock.seconds()));
        store.delete(key(7));
        store.items().offload.copy(Hashes.first(key48, mask), bucket, 0);
        assertEquals(Bucket.EMPTY, Bucket.image(bucket, 0));
    }

    @Test
    void aFreedChunkIsLeftAloneForTheGraceTime() {
        Store store = store(StoreSettings.ofMemory(4L << 20));
        store.set(key(1), new byte[100], 0, 0);
        long first = find(store, 1);
        for (int i = 0; i < 50; i++) {
            store.set(key(1), new byte[100], 0, 0);
            assertTrue(find(store, 1) != first, "used again within the grace time");
        }
        assertEquals(Item.DEAD, store.items().memory.getLong(first));
    }

    private static long find(Store store, int number) {
        byte[] key = key(number);
        ByteBuffer bytes = ByteBuffer.wrap(key);
        return store.items().main.find(bytes, 0, key.length, store.keys().hash(bytes, 0, key.length));
    }

    @Test
    void aRegionThatIsTooShortOrHoldsNothingIsRefusedWithItsNumbers() {
        region = new TestRegion(5 << 20);
        assertTrue(assertThrows(IllegalStateException.class, () -> Store.attach(region.region(), clock))
                .getMessage().contains("holds no store"));
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> Store.create(region.region(), StoreSettings.ofMemory(64 << 20), clock))
                .getMessage().contains("region length=5242880"));
        assertThrows(IllegalArgumentException.class, () -> StoreSettings.ofMemory(1));
    }
}
