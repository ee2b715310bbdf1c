package org.jvrpc.samples.kv.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.samples.kv.KvServer;
import org.jvrpc.samples.kv.rpc.KvCounts.Answered;
import org.jvrpc.samples.kv.store.StoreResult;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Processes;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;

/** The server of the command line under a hull, killed. */
class KvHullTest {

    private static final long LIMIT_NS = Waits.limitNs();
    private static final int KEYS = 500;

    private final String address = SharedMemoryFolder.freshAddress();
    private final byte[][] keys = new byte[KEYS][];
    private ChildJvm hull;

    KvHullTest() {
        for (int i = 0; i < KEYS; i++) {
            keys[i] = ("hull-" + i).getBytes(StandardCharsets.US_ASCII);
        }
    }

    private void start() {
        hull = JavaCommand.of(KvServer.class).arguments("--hull", "-p", "0", "-a", address, "-m", "16m").start();
    }

    @AfterEach
    void end() {
        if (hull != null) {
            try (ChildJvm last = hull) {
                last.terminate();
                last.exitStatus(); // it ends when told to
            }
        }
    }

    private String log() {
        return hull.toString();
    }

    private KvClient connect(KvWay way) {
        long endNs = System.nanoTime() + LIMIT_NS;
        while (true) {
            try {
                return KvClient.connect(address, way);
            } catch (RpcException e) {
                if (System.nanoTime() > endNs || !hull.isAlive()) {
                    throw new AssertionError("no server: " + log(), e);
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private void check(KvClient client, ByteBuffer into, int i) {
        into.clear();
        assertEquals(8, client.get(keys[i], into), "key " + i);
        assertEquals(i, into.getLong(0), "key " + i);
    }

    @Test
    void getsByLookupGoOnWhileTheServerIsDeadAndTheNextOneTakesTheStoreUp() {
        start();
        try (KvClient reader = connect(KvWay.OFFLOAD); KvClient oneSided = connect(KvWay.ONE_SIDED)) {
            ByteBuffer into = ByteBuffer.allocateDirect(64);
            for (int i = 0; i < KEYS; i++) {
                assertEquals(StoreResult.STORED,
                        reader.set(keys[i], ByteBuffer.allocate(8).putLong(0, i).array(), i, 0));
                check(oneSided, into, i);
            }
            long application = hull.handle().children().findFirst().orElseThrow().pid();
            Processes.kill(application);
            Waits.until("the end of the application", () -> !Processes.isRunning(application));
            long gets = 0;
            boolean failed = false;
            long endNs = System.nanoTime() + LIMIT_NS;
            boolean back = false;
            while (!back && System.nanoTime() < endNs) {
                for (int i = 0; i < KEYS; i++) {
                    check(reader, into, i);
                    check(oneSided, into, i);
                    gets++;
                }
                try {
                    reader.service().info();
                    back = failed;
                } catch (RpcException e) {
                    assertEquals(Status.UNAVAILABLE, e.status());
                    failed = true;
                }
            }
            assertTrue(back, () -> "the server came back: " + log());
            assertEquals(0, reader.counts().fallBacks(), "every get by lookup was answered by it");
            assertEquals(KEYS, oneSided.counts().fallBacks(), "learned once");
            assertTrue(gets > KEYS, "gets=" + gets);
            assertEquals(KEYS, reader.service().statistics().items(), "nothing was lost");
            Waits.until("the store to say so", () -> log().contains(KEYS + " items survived"), this::log);
            Waits.until("the other client to be back", () -> isBack(oneSided));
            reader.set(keys[3], new byte[] {1, 2, 3}, 0, 0);
            assertArrayEquals(new byte[] {1, 2, 3}, reader.get(keys[3]));
            assertArrayEquals(new byte[] {1, 2, 3}, oneSided.get(keys[3]));
            assertEquals(1, oneSided.counts().get(Answered.STALE));
        }
    }

    /** Each client connects again at times of its own. */
    private static boolean isBack(KvClient client) {
        try {
            client.service().info();
            return true;
        } catch (RpcException e) {
            assertEquals(Status.UNAVAILABLE, e.status());
            return false;
        }
    }

    @Test
    void withoutTheHullAClientIsToldSo() {
        start();
        try (KvClient reader = connect(KvWay.OFFLOAD)) {
            reader.set(keys[0], new byte[8], 0, 0);
            List<ProcessHandle> children = hull.handle().children().toList();
            hull.kill();
            long endNs = System.nanoTime() + LIMIT_NS;
            RpcException e = assertThrows(RpcException.class, () -> {
                while (System.nanoTime() < endNs) {
                    reader.get(keys[0]);
                }
            });
            assertEquals(Status.UNAVAILABLE, e.status());
            for (ProcessHandle child : children) {
                Waits.until("the end of the application", () -> !Processes.isRunning(child.pid()));
            }
        }
    }
}
