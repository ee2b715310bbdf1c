package org.jvrpc.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.map.Rule;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What a device has when its router ends and another one comes. */
class RouterRestartTest {

    private static final long TIMEOUT_NS = 20_000_000_000L;

    @TempDir
    Path folder;

    private TestRouter router;
    private RouterServer second;
    private Party left;
    private Party right;

    /** A device with one QP at a time; its memory, CQ and channel stay. */
    private static final class Party implements AutoCloseable {

        final Device device;
        final EventChannel channel;
        final ProtectionDomain pd;
        final MemoryRegion memory;
        final CompletionQueue cq;
        final Map<Long, WcStatus> polled = new HashMap<>();
        private final WorkCompletion wc = new WorkCompletion();

        Party(Device device) {
            this.device = device;
            this.channel = device.createChannel();
            this.pd = device.allocatePd();
            this.memory = pd.allocate(4096, Access.LOCAL_WRITE);
            this.cq = device.createCq(CompletionQueueAttributes.ofDepth(64).withChannel(channel));
        }

        QueuePair qp() {
            QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(16, 16));
            qp.init();
            return qp;
        }

        /** Looks whether the router makes a QP of what it was told. */
        boolean isAttached() {
            try {
                qp().close();
                return true;
            } catch (VerbsException e) {
                assertTrue(e.getMessage().contains("the router is gone"), e.getMessage());
                return false;
            }
        }

        void receive(QueuePair qp, long id) {
            qp.prepareReceive(ReceiveRequest.of(id, Sge.of(memory, 0, 64))).execute();
        }

        void send(QueuePair qp, long id) {
            qp.prepareSend(SendRequest.send(id, Sge.of(memory, 64, 8)).signalled()).execute();
        }

        WcStatus await(long id) {
            Waits.until("completion " + id, () -> {
                while (cq.poll(wc)) {
                    assertEquals(null, polled.put(wc.wrId(), wc.status()), "completed twice: " + wc);
                }
                return polled.containsKey(id);
            });
            return polled.get(id);
        }

        @Override
        public void close() {
            device.close();
        }
    }

    @BeforeEach
    void open() {
        router = new TestRouter(folder, "one", "two");
        router.view().apply(new Rule(null, null, 0, 0xffff, true));
        right = new Party(router.open("one"));
        left = new Party(router.open("two"));
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        router.close();
        if (second != null) {
            second.close();
        }
    }

    private record Link(Connection left, Connection right) { }

    private Link connect(Listener listener) {
        QueuePair from = left.qp();
        QueuePair to = right.qp();
        right.receive(to, 100);
        CompletableFuture<Connection> connecting = CompletableFuture.supplyAsync(() ->
                left.device.connect(listener.address(), from, new byte[0], left.channel, TIMEOUT_NS));
        ConnectionRequest[] request = new ConnectionRequest[1];
        Waits.until("a request", () -> (request[0] = listener.poll()) != null || connecting.isCompletedExceptionally());
        if (request[0] == null) {
            connecting.join();
        }
        Connection accepted = request[0].accept(to, new byte[0]);
        return new Link(connecting.join(), accepted);
    }

    private void exchange(Link link) {
        left.polled.clear();
        right.polled.clear();
        left.send(link.left().qp(), 1);
        assertEquals(WcStatus.SUCCESS, left.await(1));
        assertEquals(WcStatus.SUCCESS, right.await(100));
    }

    @Test
    void connectionsEndWithTheRouterAndWhatIsPostedIsFlushedOnce() {
        Link link = connect(right.device.listen(router.address(0), right.channel));
        exchange(link);
        right.receive(link.right().qp(), 101);
        router.server().close();
        Waits.until("the end", () -> !link.left().isConnected() && !link.right().isConnected());
        assertEquals(QueuePairState.ERR, link.left().qp().state());
        left.send(link.left().qp(), 2);
        left.send(link.left().qp(), 3);
        assertEquals(WcStatus.WR_FLUSH_ERR, left.await(2));
        assertEquals(WcStatus.WR_FLUSH_ERR, left.await(3));
        assertEquals(WcStatus.WR_FLUSH_ERR, right.await(101));
        link.left().close();
        link.right().close();
    }

    @Test
    void anotherRouterFindsMemoryQueuesAndListenersAsTheyWere() throws IOException {
        Listener listener = right.device.listen(router.address(0), right.channel);
        Link before = connect(listener);
        exchange(before);
        router.server().close();
        second = RouterServer.start(new RouterServer.Settings(folder, TestRouter.HOST, true, true, true),
                router.view(), (tenant, what, refusal, detail) -> { });
        Waits.until("the end", () -> !before.left().isConnected() && !before.right().isConnected());
        before.left().close();
        before.right().close();
        Waits.until("both to be attached again", () -> left.isAttached() && right.isAttached());
        exchange(connect(listener));
    }

    @Test
    void whatIsAskedWhileThereIsNoRouterIsRefusedAtOnce() {
        router.server().close();
        Waits.until("the end of the router to be known", () -> !left.isAttached());
        long startNs = System.nanoTime();
        RuntimeException e = assertThrows(RuntimeException.class, () -> left.qp());
        assertTrue(e.getMessage().contains("the router is gone"), e.getMessage());
        assertFalse(System.nanoTime() - startNs > TIMEOUT_NS / 4, "it waited");
    }
}
