package org.jvrpc.samples.kv.memcache;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.samples.kv.store.Clock;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.samples.kv.store.TestRegion;

/** Commands of the hot path make no objects. */
class AllocationTest {

    private static final int ROUNDS = 20_000;
    private static final int TRIES = 10;

    @ParameterizedTest
    @ValueSource(strings = {"get key\r\n", "set key 0 0 5\r\nhello\r\n", "gets key key2 key\r\n", "incr number 1\r\n",
        "mg key v f\r\n", "ms key 5\r\nhello\r\n", "touch key 100\r\n", "delete none\r\n"})
    void aCommandAllocatesNothing(String command) {
        StoreSettings settings = StoreSettings.ofMemory(8L << 20);
        try (TestRegion region = new TestRegion(settings.regionBytes())) {
            Store store = Store.create(region.region(), settings, Clock.system());
            Session session = new Session(store, new ServerStatus(ServerSettings.ofPort(0), 0),
                    new BufferPool(new BufferBudget(1 << 24)));
            run(session, "set number 0 0 1\r\n1\r\nset key 0 0 5\r\nworld\r\n", 1);
            long least = Long.MAX_VALUE;
            // The first rounds compile; and the JVM may do things of its own on this thread at any time.
            for (int i = 0; i < TRIES && least > 0; i++) {
                least = Math.min(least, run(session, command, ROUNDS));
            }
            assertTrue(least < ROUNDS, "bytes in " + ROUNDS + " commands: " + least);
        }
    }

    private static long run(Session session, String command, int rounds) {
        byte[] bytes = command.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer in = ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.LITTLE_ENDIAN).put(bytes);
        var threads = ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < rounds; i++) {
            in.position(0);
            session.process(in);
            ByteBuffer unsent = session.out.unsent();
            unsent.position(unsent.limit());
            session.out.sent();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
