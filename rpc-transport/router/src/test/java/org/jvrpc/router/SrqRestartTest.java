package org.jvrpc.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.map.Rule;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What was posted to an SRQ when its router ends and another one comes. */
final class SrqRestartTest {

    private static final int MESSAGE = 64;
    private static final int DEPTH = 7;

    @TempDir
    Path folder;

    private TestRouter router;
    private RouterServer second;
    private Party left;
    private Party right;
    private SharedReceiveQueue srq;

    private static final class Party {

        final Device device;
        final ProtectionDomain pd;
        final MemoryRegion memory;
        final CompletionQueue cq;
        final Map<Long, WcStatus> polled = new HashMap<>();
        final WorkCompletion wc = new WorkCompletion();

        Party(Device device) {
            this.device = device;
            this.pd = device.allocatePd();
            this.memory = pd.allocate(64 * MESSAGE, Access.LOCAL_WRITE);
            this.cq = device.createCq(CompletionQueueAttributes.ofDepth(64));
        }

        QueuePair qp(SharedReceiveQueue srq) {
            QueuePairAttributes attributes = new QueuePairAttributes(cq, cq).depth(16, 16).rnr(7, 1000);
            QueuePair qp = pd.createQp(srq == null ? attributes : attributes.sharedReceive(srq));
            qp.init();
            return qp;
        }

        boolean isAttached() {
            try {
                qp(null).close();
                return true;
            } catch (VerbsException e) {
                assertTrue(e.getMessage().contains("the router is gone"), e.getMessage());
                return false;
            }
        }

        WcStatus await(long id) {
            Waits.until("completion " + id, () -> {
                poll();
                return polled.containsKey(id);
            });
            return polled.get(id);
        }

        void poll() {
            while (cq.poll(wc)) {
                assertNull(polled.put(wc.wrId(), wc.status()), "completed twice: " + wc);
            }
        }
    }

    private record Pair(QueuePair from, QueuePair to) {
        void close() {
            from.close();
            to.close();
        }
    }

    @BeforeEach
    void open() {
        router = new TestRouter(folder, "one", "two");
        router.view().apply(new Rule(null, null, 0, 0xffff, true));
        right = new Party(router.open("one"));
        left = new Party(router.open("two"));
        srq = right.pd.createSrq(new SharedReceiveQueueAttributes(DEPTH, 1));
    }

    @AfterEach
    void close() {
        left.device.close();
        right.device.close();
        router.close();
        if (second != null) {
            second.close();
        }
    }

    private void restart() throws IOException {
        router.server().close();
        second = RouterServer.start(new RouterServer.Settings(folder, TestRouter.HOST, true, true, true),
                router.view(), (tenant, what, refusal, detail) -> { });
        Waits.until("both to be attached again", () -> left.isAttached() && right.isAttached());
    }

    private Pair connect() {
        QueuePair from = left.qp(null);
        QueuePair to = right.qp(srq);
        byte[] leftEnd = from.endpoint();
        byte[] rightEnd = to.endpoint();
        from.connect(rightEnd);
        to.connect(leftEnd);
        return new Pair(from, to);
    }

    /** Posts a receive whose place is its number. */
    private void receive(int id) {
        srq.prepareReceive(ReceiveRequest.of(id, Sge.of(right.memory, id * MESSAGE, MESSAGE))).execute();
    }

    private void send(Pair pair, int id, int value) {
        left.memory.buffer(0, 8).putLong(0, value);
        pair.from().prepareSend(SendRequest.send(1000 + id, Sge.of(left.memory, 0, 8)).signalled()).execute();
        assertEquals(WcStatus.SUCCESS, left.await(1000 + id));
    }

    /** Sends a message, which is to come to a receive. */
    private void expect(Pair pair, int id) {
        send(pair, id, 500 + id);
        assertEquals(WcStatus.SUCCESS, right.await(id));
        assertEquals(500 + id, right.memory.buffer(id * MESSAGE, 8).getLong(0), "receive=" + id);
    }

    @Test
    void receivesThatWerePostedAreTakenInTheirOrderByMessagesOfTheNextRouter() throws IOException {
        for (int id = 0; id < 5; id++) {
            receive(id);
        }
        Pair before = connect();
        expect(before, 0);
        expect(before, 1);
        receive(5); // where the first ones were
        receive(6);
        restart();
        before.close();
        Pair after = connect();
        for (int id = 2; id < 7; id++) {
            expect(after, id);
        }
        for (int id = 7; id < 7 + 2 * DEPTH; id++) {
            receive(id);
            expect(after, id);
        }
    }

    @Test
    void whatCameAndWasNotPolledIsPolledAfterwards() throws IOException {
        for (int id = 0; id < 3; id++) {
            receive(id);
        }
        Pair before = connect();
        send(before, 0, 500);
        send(before, 1, 501);
        restart();
        Pair after = connect();
        assertEquals(WcStatus.SUCCESS, right.await(0));
        assertEquals(WcStatus.SUCCESS, right.await(1));
        expect(after, 2);
        before.close();
        right.poll();
        assertEquals(3, right.polled.size(), "receives=" + right.polled);
    }

    @Test
    void noPlaceIsLostOverManyRouters() throws IOException {
        int id = 0;
        for (int life = 0; life < 3; life++) {
            Pair pair = connect();
            for (int i = 0; i < DEPTH; i++) {
                receive(id + i);
            }
            for (int i = 0; i < DEPTH; i++) {
                expect(pair, id++);
            }
            pair.close();
            if (life < 2) {
                if (second != null) {
                    second.close();
                }
                restart();
            }
        }
        assertFalse(right.cq.poll(right.wc), "a receive completed twice");
    }
}
