package org.jvrpc.samples.kv.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.samples.kv.rpc.KvCounts.Answered;
import org.jvrpc.samples.kv.store.StoreMode;
import org.jvrpc.samples.kv.store.StoreResult;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.testing.Waits;

/** All ways of getting, over a store in this process. */
class KvClientTest {

    private static final long MEMORY = 16 << 20;

    KvFixture fixture(StoreSettings settings) {
        return new KvFixture(settings);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @EnumSource
    void aValueComesBackWithFlagsAndVersion(KvWay way) {
        try (KvFixture kv = fixture(StoreSettings.ofMemory(MEMORY)); KvClient client = kv.client(way)) {
            KvStored stored = client.service().store(StoreMode.SET, bytes("a"), bytes("one"), 77, 0, 0);
            assertEquals(StoreResult.STORED, stored.result());
            ByteBuffer into = ByteBuffer.allocate(100);
            for (int i = 1; i <= 3; i++) {
                assertEquals(3, client.get(bytes("a"), into), "round " + i);
                assertEquals("one", new String(into.array(), 3 * i - 3, 3, UTF_8));
                assertEquals(3 * i, into.position());
                assertEquals(77, client.flags());
                assertEquals(stored.version(), client.version());
            }
            assertEquals(way == KvWay.RPC ? 0 : way == KvWay.ONE_SIDED ? 2 : 3, client.counts().get(Answered.DIRECT));
            assertEquals(-1, client.get(bytes("b"), into));
            assertNull(client.get(bytes("b")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReplacedOrDeletedValueIsNeverSeenAgain(KvWay way) {
        try (KvFixture kv = fixture(StoreSettings.ofMemory(MEMORY)); KvClient client = kv.client(way)) {
            for (int i = 0; i < 1000; i++) {
                byte[] value = random(i % 200, i);
                assertEquals(StoreResult.STORED, client.set(bytes("key"), value, i, 0));
                assertArrayEquals(value, client.get(bytes("key")), "value " + i);
                assertArrayEquals(value, client.get(bytes("key")), "value " + i + " again");
                assertEquals(i, client.flags());
            }
            assertTrue(client.delete(bytes("key")));
            assertNull(client.get(bytes("key")));
            assertFalse(client.delete(bytes("key")));
            assertEquals(way == KvWay.ONE_SIDED ? 1000 : 0, client.counts().get(Answered.STALE));
        }
    }

    @ParameterizedTest
    @EnumSource
    void keysOf250BytesAndEmptyValuesWork(KvWay way) {
        try (KvFixture kv = fixture(StoreSettings.ofMemory(MEMORY)); KvClient client = kv.client(way)) {
            byte[] key = random(250, 1);
            byte[] other = key.clone();
            other[249]++;
            client.set(key, new byte[0], 1, 0);
            client.set(other, bytes("x"), 2, 0);
            for (int i = 0; i < 3; i++) {
                assertArrayEquals(new byte[0], client.get(key));
                assertArrayEquals(bytes("x"), client.get(other));
            }
            assertThrows(IllegalArgumentException.class, () -> client.get(new byte[251]));
            assertThrows(IllegalArgumentException.class, () -> client.get(new byte[0]));
            RpcException refused = assertThrows(RpcException.class, () -> client.service().get(new byte[251]));
            assertEquals(Status.INVALID_ARGUMENT, refused.status());
            assertTrue(refused.getMessage().contains("251"), refused::getMessage);
        }
    }

    @ParameterizedTest
    @EnumSource
    void valuesOfAnyLengthArrive(KvWay way) {
        try (KvFixture kv = fixture(StoreSettings.ofMemory(32 << 20)); KvClient client = kv.client(way)) {
            for (int length : new int[] {1, 100, 3900, 4000, 4051, 4052, 4056, 4057, 8000, 9000, 70_000, 1 << 20}) {
                byte[] key = bytes("of" + length);
                byte[] value = random(length, length);
                assertEquals(StoreResult.STORED, client.set(key, value, 0, 0));
                assertArrayEquals(value, client.get(key), "length " + length);
                assertArrayEquals(value, client.get(key), "length " + length + " again");
                ByteBuffer small = ByteBuffer.allocate(length - 1);
                assertEquals(length, client.get(key, small));
                assertEquals(0, small.position());
            }
            assertEquals(StoreResult.TOO_LARGE, client.set(bytes("of1"), new byte[(1 << 20) + 1], 0, 0));
            assertNull(client.get(bytes("of1")));
            if (way == KvWay.OFFLOAD) {
                assertTrue(client.counts().get(Answered.MISSED) > 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aValueWhoseTimeIsOverIsGone(KvWay way) {
        try (KvFixture kv = fixture(StoreSettings.ofMemory(MEMORY)); KvClient client = kv.client(way)) {
            client.set(bytes("over"), bytes("x"), 0, -1);
            assertNull(client.get(bytes("over")));
            client.set(bytes("soon"), bytes("y"), 0, 1);
            Waits.until("the time of a value to be over", () -> client.get(bytes("soon")) == null);
            client.set(bytes("later"), bytes("z"), 0, 1000);
            assertArrayEquals(bytes("z"), client.get(bytes("later")));
            assertEquals(StoreResult.HIT, client.service().touch(bytes("later"), -1));
            assertNull(client.get(bytes("later")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyKeysComeTogether(KvWay way) {
        try (KvFixture kv = fixture(StoreSettings.ofMemory(32 << 20)); KvClient client = kv.client(way)) {
            byte[][] keys = new byte[100][];
            Map<Integer, byte[]> expected = new HashMap<>();
            for (int i = 0; i < keys.length; i++) {
                keys[i] = bytes("many-" + i);
                if (i % 7 != 3) {
                    byte[] value = random(i == 50 ? 20_000 : i * 3, i);
                    expected.put(i, value);
                    client.set(keys[i], value, i, 0);
                }
            }
            for (int round = 0; round < 3; round++) {
                Map<Integer, byte[]> found = new HashMap<>();
                client.getAll(keys, keys.length, (index, from, offset, length, flags, version) -> {
                    byte[] value = new byte[length];
                    from.get(offset, value);
                    assertNull(found.put(index, value), "twice " + index);
                    assertEquals(index, flags);
                });
                assertEquals(expected.keySet(), found.keySet(), "round " + round);
                expected.forEach((index, value) -> assertArrayEquals(value, found.get(index)));
            }
            if (way != KvWay.RPC) {
                assertTrue(client.counts().get(Answered.DIRECT) >= 2 * 84, "found without a call");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theIndexMayGrowUnderAClient(KvWay way) {
        StoreSettings settings = StoreSettings.ofMemory(16 << 20).withBuckets(64, 64);
        try (KvFixture kv = fixture(settings); KvClient client = kv.client(way)) {
            for (int i = 0; i < 200; i++) {
                client.set(bytes("grow-" + i), bytes("value-" + i), i, 0);
                for (int j = 0; j <= i; j += 7) {
                    assertArrayEquals(bytes("value-" + j), client.get(bytes("grow-" + j)), i + " " + j);
                }
            }
            if (way == KvWay.OFFLOAD) {
                assertTrue(client.counts().get(Answered.MISSED) < 200, "missed " + client.counts().fallBacks());
            }
        }
    }

    @Test
    void theServiceDoesWhatMemcachedDoes() {
        try (KvFixture kv = fixture(StoreSettings.ofMemory(MEMORY)); KvClient client = kv.client(KvWay.RPC)) {
            KvService service = client.service();
            byte[] key = bytes("k");
            assertEquals(StoreResult.NOT_STORED, service.store(StoreMode.REPLACE, key, key, 0, 0, 0).result());
            KvStored added = service.store(StoreMode.ADD, key, bytes("5"), 9, 0, 0);
            assertEquals(StoreResult.STORED, added.result());
            assertEquals(StoreResult.NOT_STORED, service.store(StoreMode.ADD, key, key, 0, 0, 0).result());
            assertEquals(StoreResult.EXISTS,
                    service.store(StoreMode.CAS, key, key, 0, 0, added.version() + 1).result());
            assertEquals(StoreResult.STORED,
                    service.store(StoreMode.CAS, key, bytes("7"), 0, 0, added.version()).result());
            assertEquals(17, service.add(key, 10, false, 0, -1).number());
            assertEquals(0, service.add(key, 18, true, 0, -1).number());
            assertEquals(StoreResult.NOT_FOUND, service.add(bytes("n"), 1, false, 0, -1).result());
            assertEquals(4, service.add(bytes("n"), 1, false, 4, 0).number());
            assertEquals(StoreResult.STORED, service.store(StoreMode.PREPEND, key, bytes("x"), 0, 0, 0).result());
            assertEquals(StoreResult.NON_NUMERIC, service.add(key, 1, false, 0, -1).result());
            KvItem item = service.get(key);
            assertArrayEquals(key, item.key());
            assertEquals('x', item.value()[0]);
            KvLocation place = service.locate(key);
            assertEquals(item.version(), place.version());
            assertNull(service.locate(bytes("none")));
            assertEquals(2, service.getAll(List.of(key, bytes("none"), bytes("n"))).size());
            assertEquals(StoreResult.EXISTS, service.delete(key, place.version() + 1));
            assertEquals(StoreResult.DELETED, service.delete(key, place.version()));
            assertEquals(1, service.statistics().items());
            service.flushAll(0);
            assertEquals(0, service.statistics().items());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFullStoreForgetsTheOldest(KvWay way) {
        StoreSettings settings = StoreSettings.ofMemory(4 << 20);
        try (KvFixture kv = fixture(settings); KvClient client = kv.client(way)) {
            byte[] value = new byte[1000];
            int keys = 6000;
            for (int i = 0; i < keys; i++) {
                Arrays.fill(value, (byte) i);
                assertEquals(StoreResult.STORED, client.set(bytes("full-" + i), value, i, 0));
            }
            int hits = 0;
            for (int i = 0; i < keys; i++) {
                byte[] found = client.get(bytes("full-" + i));
                if (found != null) {
                    hits++;
                    assertEquals((byte) i, found[999]);
                    assertEquals(i, client.flags());
                }
            }
            assertTrue(hits > 1000 && hits < keys, "hits=" + hits);
            assertTrue(client.service().statistics().evictions() > 0);
        }
    }

    @Test
    void aStoreThatMayNotEvictRefuses() {
        StoreSettings settings = StoreSettings.ofMemory(16 << 20).withEvict(false);
        try (KvFixture kv = fixture(settings); KvClient client = kv.client(KvWay.OFFLOAD)) {
            int stored = 0;
            while (stored < 100_000 && client.set(bytes("r" + stored), new byte[1000], 0, 0) == StoreResult.STORED) {
                stored++;
            }
            assertTrue(stored > 1000 && stored < 100_000, "stored=" + stored);
            assertEquals(1000, client.get(bytes("r0")).length);
        }
    }
}
