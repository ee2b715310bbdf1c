package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.server.ServerCnxn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Recipes of Apache Curator, whose clients are chosen by the system property that users set. */
class CuratorTest {

    private static final String PROPERTY = "zookeeper.clientCnxnSocket";
    private static final String COUNT = "/count";

    private final List<CuratorFramework> clients = new ArrayList<>();
    private String before;
    private PluginServer server;

    @BeforeEach
    void start() throws Exception {
        before = System.setProperty(PROPERTY, PluginServer.JVRPC);
        server = PluginServer.start(0);
    }

    @AfterEach
    void stop() throws Exception {
        clients.forEach(CuratorFramework::close);
        server.close();
        if (before == null) {
            System.clearProperty(PROPERTY);
        } else {
            System.setProperty(PROPERTY, before);
        }
    }

    private CuratorFramework client() throws Exception {
        CuratorFramework made = CuratorFrameworkFactory.newClient(
                server.address(), 6000, 10_000, new ExponentialBackoffRetry(100, 10));
        clients.add(made);
        made.start();
        assertTrue(made.blockUntilConnected(30, TimeUnit.SECONDS));
        return made;
    }

    @Test
    void aLockIsHeldByOneClientAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger entries = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            InterProcessMutex lock = new InterProcessMutex(client(), "/lock");
            CuratorFramework own = clients.get(i);
            threads.add(new Thread(() -> enter(own, lock, inside, most, entries)));
        }
        for (ServerCnxn cnxn : server.factory().getConnections()) {
            assertTrue(cnxn.toString().startsWith("jvrpc: "), cnxn.toString());
        }
        clients.get(0).create().forPath(COUNT, "0".getBytes(StandardCharsets.UTF_8));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(60_000);
        }
        assertEquals(60, entries.get());
        assertEquals(1, most.get());
        assertEquals("60", new String(clients.get(0).getData().forPath(COUNT), StandardCharsets.UTF_8));
    }

    /** Counts in a node, which goes wrong where the lock lets two in: each waits inside until another wants in. */
    private static void enter(CuratorFramework own, InterProcessMutex lock, AtomicInteger inside, AtomicInteger most,
            AtomicInteger entries) {
        for (int i = 0; i < 20; i++) {
            try {
                lock.acquire();
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                int before = Integer.parseInt(new String(own.getData().forPath(COUNT), StandardCharsets.UTF_8));
                PluginServer.until("another wants in, or is done", () -> entries.get() >= 40 || want(lock) > 1);
                own.setData().forPath(COUNT, Integer.toString(before + 1).getBytes(StandardCharsets.UTF_8));
                entries.incrementAndGet();
                inside.decrementAndGet();
                lock.release();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static int want(InterProcessMutex lock) {
        try {
            return lock.getParticipantNodes().size();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anotherLeadsWhenTheLeadersClientGoes() throws Exception {
        CuratorFramework first = client();
        LeaderLatch latch = new LeaderLatch(first, "/leader");
        latch.start();
        assertTrue(latch.await(30, TimeUnit.SECONDS));
        try (LeaderLatch other = new LeaderLatch(client(), "/leader")) {
            other.start();
            PluginServer.until("both take part", () -> participants(other) == 2);
            assertFalse(other.hasLeadership());
            first.close();
            assertTrue(other.await(30, TimeUnit.SECONDS));
        }
    }

    private static int participants(LeaderLatch latch) {
        try {
            return latch.getParticipants().size();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
