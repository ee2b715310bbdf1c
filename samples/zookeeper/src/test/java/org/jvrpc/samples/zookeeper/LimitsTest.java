package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.proto.ConnectRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.samples.zookeeper.PluginServer.Events;

/** Too many, too long, and senseless. */
class LimitsTest {

    private static final String LIMIT = "zookeeper.globalOutstandingLimit";

    private PluginServer server;

    @AfterEach
    void stop() throws Exception {
        System.clearProperty(LIMIT);
        server.close();
    }

    @Test
    void oneClientTooManyOfAHostIsRefusedAndComesInWhenAnotherLeaves() throws Exception {
        server = PluginServer.start(2);
        ZooKeeper first = server.client();
        server.client();
        Events events = new Events();
        Hosts hosts = new Hosts("localhost", "127.0.0.1", server.port());
        ZooKeeper third = server.open(hosts, events);
        RpcException refused = assertThrows(RpcException.class, () -> raw(new Ends()).close());
        assertEquals(Status.RESOURCE_EXHAUSTED, refused.status());
        assertTrue(refused.getMessage().contains("Too many connections from 127.0.0.1 - max is 2"),
                refused.getMessage());
        PluginServer.until("the client was refused", () -> hosts.attempts() >= 1);
        assertEquals(2, server.factory().getNumAliveConnections());
        assertFalse(third.getState().isConnected());
        first.close();
        events.await(KeeperState.SyncConnected);
        assertNotNull(third.exists("/", false));
    }

    @Test
    void throttledConnectionsGoOnOnceTheirAnswersAreOut() throws Exception {
        System.setProperty(LIMIT, "3");
        server = PluginServer.start(0);
        ZooKeeper client = server.client();
        client.create("/node", new byte[1], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        int calls = 2000;
        CountDownLatch left = new CountDownLatch(calls);
        AtomicInteger wrong = new AtomicInteger();
        for (int i = 0; i < calls; i++) {
            client.setData("/node", new byte[1], -1, (rc, path, context, stat) -> {
                wrong.addAndGet(rc == 0 ? 0 : 1);
                left.countDown();
            }, null);
        }
        assertTrue(left.await(60, TimeUnit.SECONDS), "left=" + left.getCount());
        assertEquals(0, wrong.get());
        assertEquals(calls, client.exists("/node", false).getVersion());
    }

    @ParameterizedTest
    @ValueSource(ints = {1_050_000, 1_200_000, 3_000_000})
    void requestsLongerThanJutesLimitCostTheirConnectionAndNothingElse(int length) throws Exception {
        server = PluginServer.start(0);
        ZooKeeper other = server.client();
        Events events = new Events();
        ZooKeeper client = server.client(PluginServer.JVRPC, events);
        assertThrows(KeeperException.ConnectionLossException.class, () -> client.create(
                "/long", new byte[length], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        events.await(KeeperState.SyncConnected);
        assertEquals(null, client.exists("/long", false));
        assertNotNull(other.exists("/", false));
    }

    /** Counts its ends. */
    private static final class Ends implements MessageHandler {

        private final AtomicInteger ends = new AtomicInteger();

        @Override
        public void frame(MessageSession session, ByteBuffer frame) {
            // whatever the server says
        }

        @Override
        public void closed(MessageSession session, Throwable cause) {
            ends.incrementAndGet();
        }
    }

    private MessageClient raw(Ends ends) {
        String address = JvrpcAddress.ofServer(null, new InetSocketAddress("127.0.0.1", server.port()));
        return MessageClient.builder(address, ends).connect();
    }

    private static byte[] connectRequest() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryOutputArchive archive = BinaryOutputArchive.getArchive(bytes);
        new ConnectRequest(0, 0, 6000, 0, new byte[16], false).serialize(archive, "connect");
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void garbageAfterTheHandshakeCostsItsConnectionAndNothingElse(boolean connectsFirst) throws Exception {
        server = PluginServer.start(0);
        ZooKeeper other = server.client();
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 50; i++) {
            Ends ends = new Ends();
            try (MessageClient client = raw(ends)) {
                if (connectsFirst) {
                    client.send(ByteBuffer.wrap(connectRequest()));
                }
                byte[] garbage = new byte[random.nextInt(100)];
                random.nextBytes(garbage);
                client.send(ByteBuffer.wrap(garbage));
                client.send(ByteBuffer.wrap(new byte[0])); // what has no header, whatever came before
                PluginServer.until("the server ends it", () -> {
                    client.poll(1_000_000);
                    return ends.ends.get() == 1;
                });
            }
        }
        assertNotNull(other.exists("/", false));
        PluginServer.until("connections are forgotten", () -> server.factory().getNumAliveConnections() == 1);
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    @Test
    void aThousandConnectionsOpenedAndClosedLeaveNothingBehind() throws Exception {
        server = PluginServer.start(0);
        ZooKeeper other = server.client();
        List<ZooKeeper> some = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            some.add(server.client());
        }
        for (ZooKeeper client : some) {
            client.close();
        }
        long before = descriptors();
        byte[] request = connectRequest();
        for (int i = 0; i < 1000; i++) {
            try (MessageClient client = raw(new Ends())) {
                if ((i & 1) == 0) {
                    client.send(ByteBuffer.wrap(request));
                }
                client.poll();
            }
        }
        PluginServer.until("connections are forgotten", () -> server.factory().getNumAliveConnections() == 1);
        PluginServer.until("descriptors are given back", () -> {
            try {
                return descriptors() <= before + 20;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertNotNull(other.exists("/", false));
    }
}
