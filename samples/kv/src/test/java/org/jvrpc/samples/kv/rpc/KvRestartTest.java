package org.jvrpc.samples.kv.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.samples.kv.rpc.KvCounts.Answered;
import org.jvrpc.testing.Waits;

/** A server that goes away and comes back, here with its host of lookups. */
class KvRestartTest {

    private static final long LIMIT_NS = Waits.limitNs();
    private static final byte[] KEY = "key".getBytes(UTF_8);
    private static final byte[] PROBE = "probe".getBytes(UTF_8);

    /** Waits until gets succeed again, and the connection for the way is back. */
    private static void awaitBack(KvClient client, KvWay way) {
        Waits.until("the way back", () -> {
            try {
                client.get(KEY);
                client.set(PROBE, KEY, 0, 0); // calls come back by themselves, maybe later than lookups
                return way == KvWay.RPC || client.isLinked();
            } catch (RpcException e) {
                assertEquals(Status.UNAVAILABLE, e.status());
                return false;
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aClientFindsTheServerAgain(KvWay way) {
        try (KvFixture kv = new KvFixture(); KvClient client = kv.client(way)) {
            client.set(KEY, "one".getBytes(UTF_8), 0, 0);
            assertArrayEquals("one".getBytes(UTF_8), client.get(KEY));
            kv.stop();
            long endNs = System.nanoTime() + LIMIT_NS;
            assertThrows(RpcException.class, () -> {
                while (System.nanoTime() < endNs) {
                    assertArrayEquals("one".getBytes(UTF_8), client.get(KEY));
                }
            });
            kv.start();
            awaitBack(client, way);
            assertEquals(0, client.counts().get(Answered.STALE));
            client.set(KEY, "two".getBytes(UTF_8), 0, 0);
            assertArrayEquals("two".getBytes(UTF_8), client.get(KEY));
            long direct = client.counts().get(Answered.DIRECT);
            assertArrayEquals("two".getBytes(UTF_8), client.get(KEY));
            assertEquals(direct + (way == KvWay.RPC ? 0 : 1), client.counts().get(Answered.DIRECT));
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutAServerThereIsNoClient(KvWay way) {
        RpcException e = assertThrows(RpcException.class, () -> KvClient.connect("shm://kv-nobody-here", way));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.getMessage().contains("kv-nobody-here"), e::getMessage);
        assertNotEquals("", e.getMessage());
    }
}
