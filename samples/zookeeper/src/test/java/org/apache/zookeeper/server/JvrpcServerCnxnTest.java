package org.apache.zookeeper.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.RequestHeader;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.samples.zookeeper.JvrpcAddress;
import org.jvrpc.samples.zookeeper.PluginServer;

/** What ZooKeeper itself asks of a connection. */
class JvrpcServerCnxnTest {

    private static final int DATA = 1_000_000;
    /** What may be due and what may wait, and one answer more. */
    private static final long MOST_QUEUED = 7_000_000;

    private static JvrpcServerCnxn only(PluginServer server) {
        return (JvrpcServerCnxn) server.factory().getConnections().iterator().next();
    }

    @Test
    void aConnectionThatMayNotReceiveTakesNothingUntilItMay() throws Exception {
        try (PluginServer server = PluginServer.start(0)) {
            ZooKeeper client = server.client();
            JvrpcServerCnxn cnxn = only(server);
            ZooKeeper other = server.client();
            // ZooKeeper takes nothing of a session being made, and lets its client know before it takes again.
            PluginServer.until("it receives", () -> cnxn.getInterestOps() == SelectionKey.OP_READ);
            cnxn.disableRecv(true);
            assertEquals(0, cnxn.getInterestOps());
            CompletableFuture<Integer> result = new CompletableFuture<>();
            client.exists("/", false, (rc, path, context, stat) -> result.complete(rc), null);
            for (int i = 0; i < 3; i++) {
                other.exists("/", false); // the thread that polls for both comes by
            }
            assertFalse(result.isDone(), "was taken all the same");
            cnxn.enableRecv();
            assertEquals(0, result.get(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void aConnectionKnowsItsClientAndHasNoTls() throws Exception {
        try (PluginServer server = PluginServer.start(0)) {
            ZooKeeper client = server.client();
            JvrpcServerCnxn cnxn = only(server);
            assertEquals(client.getSessionId(), cnxn.getSessionId());
            assertEquals(client.getSessionTimeout(), cnxn.getSessionTimeout());
            assertTrue(cnxn.getRemoteSocketAddress().getAddress().isLoopbackAddress());
            assertFalse(cnxn.isSecure());
            assertEquals("ip", cnxn.getAuthInfo().get(0).getScheme());
        }
    }

    @Test
    void requestsOfAnUnknownKindAreAnsweredAndEndTheConnectionAsOverTcp() throws Exception {
        try (PluginServer server = PluginServer.start(0)) {
            server.client();
            JvrpcServerCnxn cnxn = only(server);
            server.server().submitRequest(
                    new Request(cnxn, cnxn.getSessionId(), 5, 4711, RequestRecord.fromBytes(new byte[0]), null));
            PluginServer.until("the connection ends", () -> cnxn.isStale());
        }
    }

    /** A session that is paused and resumed, where a pause may take its time. */
    private static final class SlowlyPaused implements MessageSession {

        private final CountDownLatch pausing = new CountDownLatch(1);
        private final CountDownLatch mayPause = new CountDownLatch(1);
        private volatile boolean paused;

        @Override
        public void pause() {
            pausing.countDown();
            try {
                assertTrue(mayPause.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            paused = true;
        }

        @Override
        public void resume() {
            paused = false;
        }

        @Override
        public long id() {
            return 1;
        }

        @Override
        public InetAddress peerHost() {
            return null;
        }

        @Override
        public boolean send(ByteBuffer... pieces) {
            return true;
        }

        @Override
        public int maxFrameBytes() {
            return 1 << 20;
        }

        @Override
        public long queuedBytes() {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public Object attachment() {
            return null;
        }

        @Override
        public void attach(Object object) {
            // keeps nothing
        }

        @Override
        public void close() {
            // holds nothing
        }
    }

    @Test
    void aPauseThatAResumeComesIntoDoesNotLast() throws Exception {
        SlowlyPaused session = new SlowlyPaused();
        JvrpcServerCnxn cnxn = new JvrpcServerCnxn(null, new JvrpcServerCnxnFactory());
        cnxn.opened(session);
        Thread poller = new Thread(() -> cnxn.disableRecv(false), "poller");
        poller.start();
        assertTrue(session.pausing.await(30, TimeUnit.SECONDS));
        Thread answerer = new Thread(cnxn::enableRecv, "answerer");
        answerer.start();
        PluginServer.until("an answer ends the pause, or waits for it to begin",
                () -> answerer.getState() == Thread.State.TERMINATED || answerer.getState() == Thread.State.BLOCKED);
        session.mayPause.countDown();
        poller.join(30_000);
        answerer.join(30_000);
        cnxn.enableRecv(); // of the last answer
        assertFalse(session.paused, "paused for ever");
    }

    private static JvrpcServerCnxn notOf(ZooKeeper client, PluginServer server) {
        for (ServerCnxn cnxn : server.factory().getConnections()) {
            if (cnxn.getSessionId() != client.getSessionId()) {
                return (JvrpcServerCnxn) cnxn;
            }
        }
        throw new AssertionError("there is no other connection");
    }

    /** Counts frames. */
    private static final class Frames implements MessageHandler {

        private int count;
        private int longOnes;

        @Override
        public void frame(MessageSession session, ByteBuffer frame) {
            count++;
            longOnes += frame.remaining() > DATA ? 1 : 0;
        }
    }

    private static ByteBuffer connectRequest() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ConnectRequest(0, 0, 10_000, 0, new byte[16], false).serialize(BinaryOutputArchive.getArchive(bytes), "c");
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static ByteBuffer getData(int xid, String path) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryOutputArchive archive = BinaryOutputArchive.getArchive(bytes);
        new RequestHeader(xid, OpCode.getData).serialize(archive, "header");
        new GetDataRequest(path, false).serialize(archive, "request");
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    @Test
    void aClientThatAsksAndTakesNoAnswersIsHeldUpAndServedWhenItTakesThem() throws Exception {
        int requests = 200;
        try (PluginServer server = PluginServer.start(0)) {
            ZooKeeper other = server.client();
            other.create("/long", new byte[DATA], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            Frames frames = new Frames();
            String address = JvrpcAddress.ofServer(null, new InetSocketAddress("127.0.0.1", server.port()));
            try (MessageClient greedy = MessageClient.builder(address, frames).connect()) {
                greedy.send(connectRequest());
                PluginServer.until("it has a session", () -> greedy.poll() >= 0 && frames.count == 1);
                JvrpcServerCnxn cnxn = notOf(other, server);
                for (int i = 1; i <= requests; i++) {
                    greedy.send(getData(i, "/long"));
                    if (i % 20 == 0) {
                        other.exists("/", false); // as long as it takes, on a machine of any speed
                    }
                }
                PluginServer.until("it is held up", () -> (cnxn.getInterestOps() & SelectionKey.OP_READ) == 0
                        && server.server().getInProcess() == 0 && cnxn.queuedBytes() > DATA
                        || cnxn.queuedBytes() > MOST_QUEUED);
                assertTrue(cnxn.queuedBytes() <= MOST_QUEUED, "bytes queued=" + cnxn.queuedBytes());
                assertNotNull(other.exists("/long", false));
                PluginServer.until("all is answered", () -> greedy.poll() >= 0 && frames.longOnes == requests);
            }
        }
    }

    @Test
    void aClientForWhichMoreWaitsThanMayIsPartedWith() throws Exception {
        System.setProperty(JvrpcServerCnxnFactory.MAX_QUEUED, Integer.toString(1 << 20));
        try (PluginServer server = PluginServer.start(0)) {
            ZooKeeper other = server.client();
            other.create("/long", new byte[DATA], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            String address = JvrpcAddress.ofServer(null, new InetSocketAddress("127.0.0.1", server.port()));
            Frames frames = new Frames();
            try (MessageClient greedy = MessageClient.builder(address, frames).connect()) {
                greedy.send(connectRequest());
                PluginServer.until("it has a session", () -> greedy.poll() >= 0 && frames.count == 1);
                JvrpcServerCnxn cnxn = notOf(other, server);
                for (int i = 1; i <= 4; i++) {
                    greedy.send(getData(i, "/long"));
                }
                PluginServer.until("it is gone", () -> server.factory().getNumAliveConnections() == 1);
                assertEquals(ServerCnxn.DisconnectReason.IO_EXCEPTION, cnxn.disconnectReason);
                assertNotNull(other.exists("/long", false));
            }
        } finally {
            System.clearProperty(JvrpcServerCnxnFactory.MAX_QUEUED);
        }
    }

    @Test
    void aLimitThatMakesNoSenseIsRefusedByName() {
        System.setProperty(JvrpcServerCnxnFactory.MAX_QUEUED, "1000");
        try {
            String message = assertThrows(IllegalArgumentException.class, JvrpcServerCnxnFactory::new).getMessage();
            assertTrue(message.contains("jvrpc.zookeeper.maxQueuedBytes=1000"), message);
        } finally {
            System.clearProperty(JvrpcServerCnxnFactory.MAX_QUEUED);
        }
    }
}
