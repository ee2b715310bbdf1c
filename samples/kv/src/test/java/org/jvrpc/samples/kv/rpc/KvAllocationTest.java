package org.jvrpc.samples.kv.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KvAllocationTest {

    private static final int WARM_UP = 30_000;
    private static final int GETS = 20_000;
    /** A compiler that is at work yet spoils a try, and may be at work for long where processors are busy. */
    private static final long LIMIT_NS = 90_000_000_000L;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static void gets(KvClient client, byte[] key, ByteBuffer into, int count) {
        for (int i = 0; i < count; i++) {
            assertEquals(32, client.get(key, into.clear()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void getsIntoABufferAllocateNothing(KvWay way) {
        try (KvFixture kv = new KvFixture(); KvClient client = kv.client(way)) {
            byte[] key = "allocation".getBytes(StandardCharsets.US_ASCII);
            client.set(key, new byte[32], 0, 0);
            ByteBuffer into = ByteBuffer.allocateDirect(64);
            gets(client, key, into, WARM_UP);
            long least = Long.MAX_VALUE;
            long startNs = System.nanoTime();
            while (least >= GETS && System.nanoTime() - startNs < LIMIT_NS) {
                long before = threads.getCurrentThreadAllocatedBytes();
                gets(client, key, into, GETS);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            long bytes = least;
            assertTrue(bytes < GETS, () -> bytes + " bytes for " + GETS + " gets");
        }
    }
}
