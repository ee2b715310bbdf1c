package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * One thread posts, as soon as there is room, while another polls: each completion brings the id, and each message the
 * memory, of the WQE that it completes, and not of the one that is posted into the same slot.
 */
final class TwoThreadsTest {

    private static final int SLOTS = 2;
    /** The races go on so long, whatever that makes of them on the machine. */
    private static final long RACE_NS = 3_000_000_000L;
    private static final long LIMIT_NS = 60_000_000_000L;

    private volatile boolean over;

    /** Posts from another thread, and completes and checks one after the other in this one, for some seconds. */
    private void race(IntPredicate post, IntConsumer completeAndCheck) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread poster = new Thread(() -> {
            try {
                for (int n = 0; !over;) {
                    if (post.test(n)) {
                        n++;
                    } else {
                        Thread.yield();
                    }
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        }, "poster");
        poster.start();
        int n = 0;
        try {
            for (long startNs = System.nanoTime(); System.nanoTime() - startNs < RACE_NS; n++) {
                completeAndCheck.accept(n);
            }
        } finally {
            over = true;
            poster.join();
        }
        assertNull(failure.get(), () -> "poster: " + failure.get());
        System.out.println("TwoThreadsTest: WQEs=" + n);
    }

    private static void await(String what, BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - startNs < LIMIT_NS, what);
            Thread.yield();
        }
    }

    @Test
    void aReceiveIsThePostersOnceItsMemoryIsWritten() {
        Rings rings = new Rings(16, 1, 1, 8, 64, false);
        PostReceive call = rings.qp.prepareReceive(ReceiveRequest.of(7, new Sge(0, 8, 1)));
        assertEquals(1, call.execute());
        int[] accepted = {-1};
        rings.onLocalWrite = () -> accepted[0] = call.execute(); // as a poster at this moment
        arrive(rings, 0);
        WorkCompletion wc = new WorkCompletion();
        assertTrue(rings.cq.poll(wc));
        assertEquals(0, accepted[0], "the slot of a WQE that is being read was given away");
        assertEquals(7, wc.wrId());
        assertEquals(1, call.execute());
    }

    @Test
    void aSendIsThePostersOnceItsAnswerIsWritten() {
        Rings rings = new Rings(1, 8, 1, 8, 64, false);
        PostSend call = rings.qp.prepareSend(SendRequest.read(7, 0x40, 1, new Sge(0, 8, 1)).signalled());
        assertEquals(1, call.execute());
        int[] accepted = {-1};
        rings.onLocalWrite = () -> accepted[0] = call.execute(); // as a poster at this moment
        BigEndian.putLong(rings.memory, Rings.CQ, 4711);
        BigEndian.putInt(rings.memory, Rings.CQ + Cqe.BYTE_COUNT, 8);
        BigEndian.putLongRelease(rings.memory, Rings.CQ + Cqe.TAIL,
                Cqe.tail(Wqe.RDMA_READ, Rings.QPN, 0, 0, Cqe.REQ, Cqe.INLINE_32));
        WorkCompletion wc = new WorkCompletion();
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcStatus.SUCCESS, wc.status());
        assertEquals(0, accepted[0], "the slot of a WQE that is being read was given away");
        assertEquals(4711, BigEndian.getLong(rings.local, 0));
        assertEquals(1, call.execute());
    }

    @Test
    void aSendMayBeCompleteBeforeItsDoorbellHasRung() {
        Rings rings = new Rings(1, 8, 1, 8, 64, false);
        PostSend call = rings.qp.prepareSend(SendRequest.send(0, new Sge(0, 8, 1)).signalled());
        WorkCompletion wc = new WorkCompletion();
        int[] done = new int[1];
        rings.onRing = () -> { // as a device, and a poller, that are quick
            rings.succeed(done[0], done[0]);
            assertTrue(rings.cq.poll(wc));
            assertEquals(done[0]++, wc.wrId(), "the id of an earlier send");
        };
        for (int n = 0; n < 20; n++) {
            assertEquals(1, call.wrId(0, n).execute(), "the slot of a WQE that is complete is not given back");
        }
        assertEquals(20, done[0]);
    }

    /** Has a message of 8 bytes, which are its number, arrive in the CQE itself. */
    private static void arrive(Rings rings, int n) {
        int at = Rings.CQ + (n & 7) * 64;
        BigEndian.putLong(rings.memory, at, n);
        BigEndian.putInt(rings.memory, at + Cqe.BYTE_COUNT, 8);
        BigEndian.putLongRelease(rings.memory, at + Cqe.TAIL,
                Cqe.tail(0, Rings.QPN, n, n >>> 3, Cqe.RESP_SEND, Cqe.INLINE_32));
    }

    private static boolean isPosted(Rings rings, int counter, int n) {
        return (BigEndian.getIntAcquire(rings.memory, Rings.QP_RECORD + counter) - n - 1 & 0xffff) < SLOTS;
    }

    @Test
    @Tag("slow")
    void receivesBringTheirOwnIdsAndMemory() throws InterruptedException {
        Rings rings = new Rings(16, SLOTS, 1, 8, 64, false);
        PostReceive call = rings.qp.prepareReceive(ReceiveRequest.of(0, new Sge(0, 8, 1)));
        WorkCompletion wc = new WorkCompletion();
        race(n -> call.wrId(0, n).address(0, 0, 8 * (n % 64)).execute() == 1, n -> {
            await("receive " + n + " to be posted", () -> isPosted(rings, DoorbellRecord.RECEIVE, n));
            arrive(rings, n);
            assertTrue(rings.cq.poll(wc));
            assertEquals(n, wc.wrId(), "the id of a later receive");
            assertEquals(n, BigEndian.getLong(rings.local, 8 * (n % 64)), "written to the memory of another one");
        });
    }

    @Test
    @Tag("slow")
    void sendsBringTheirOwnIds() throws InterruptedException {
        Rings rings = new Rings(SLOTS, 8, 1, 8, 64, false);
        PostSend call = rings.qp.prepareSend(SendRequest.send(0, new Sge(0, 8, 1)).signalled());
        WorkCompletion wc = new WorkCompletion();
        race(n -> {
            rings.rung.clear();
            rings.recordAtRing.clear();
            rings.lastWqe.clear();
            return call.wrId(0, n).execute() == 1;
        }, n -> {
            await("send " + n + " to be posted", () -> isPosted(rings, DoorbellRecord.SEND, n));
            rings.succeed(n, n);
            assertTrue(rings.cq.poll(wc));
            assertEquals(n, wc.wrId(), "the id of a later send");
        });
    }
}
