package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Mlx5SharedReceiveQueue;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.SharedReceives;
import org.jvrpc.softrnic.queue.SrqContext;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.contract.Pace;
import org.jvrpc.verbs.contract.Pattern;

/** Receives of an SRQ that are taken by several at a time, and by those who never complete them. */
final class SharedReceivesTest {

    private static final int SECONDS = 60;

    private LongSupplier clock = System::nanoTime;
    private SoftDevice device;
    private SharedReceiveQueue srq;
    private ShmEnd receiver;
    private ShmEnd sender;
    private final WorkCompletion wc = new WorkCompletion();

    @BeforeEach
    void openDevice() {
        device = (SoftDevice) ShmUnderTest.open(() -> clock.getAsLong());
    }

    @AfterEach
    void closeDevice() {
        device.close();
    }

    private void makePair(int maxWr) {
        if (srq == null) {
            srq = device.allocatePd().createSrq(new SharedReceiveQueueAttributes(maxWr, 1));
        }
        sender = new ShmEnd(device, 1);
        receiver = new ShmEnd(device, 1, null, sender.channel, attributes -> attributes.sharedReceive(srq));
        byte[] endpoint = sender.qp.endpoint();
        sender.qp.connect(receiver.qp.endpoint());
        receiver.qp.connect(endpoint);
    }

    private SharedReceives receives() {
        return new SharedReceives(device.arena(), device.own(srq).address());
    }

    private SoftQueuePair control(ShmEnd end) {
        return (SoftQueuePair) ((Mlx5QueuePair) end.qp).control();
    }

    private void post(int from, int to) {
        for (int i = from; i < to; i++) {
            assertEquals(1, srq.prepareReceive(ReceiveRequest.of(i)).execute(), "wrId=" + i);
        }
    }

    private void send() {
        assertEquals(1, sender.qp.prepareSend(SendRequest.send(0)).execute());
    }

    private void expect(long wrId, WcStatus status) {
        Deadline.until("wrId=" + wrId, () -> receiver.receiveCq.poll(wc));
        assertTrue(wc.wrId() == wrId && wc.status() == status && wc.qpNumber() == receiver.qp.number(), wc::toString);
    }

    /** To look at a receive of an SRQ is to take it from all others. */
    @Test
    void nothingIsPushedToAPeerWithAnSrq() {
        makePair(8);
        post(0, 1);
        PostSend call = sender.qp.prepareSend(SendRequest.send(1, sender.sge(0, PostSend.HEADER_BYTES),
                sender.sge(64, 8)));
        assertFalse(call.push(1, 2, 0));
        assertFalse(call.push(1, 2, 0, ByteBuffer.allocate(8), 0, 8));
        makePair(8);
        send();
        expect(0, WcStatus.SUCCESS);
    }

    @ParameterizedTest(name = "more={0}")
    @ValueSource(ints = {0, 2})
    void whatADeadSenderTookIsFlushedOnceAndNothingElseIs(int more) {
        makePair(7);
        post(0, 7);
        send();
        assertEquals(1, receives().take(receiver.qp.number()));
        for (int i = 0; i < more; i++) {
            send(); // complete in the ring of the CQ, not polled
        }
        control(receiver).peerDied();
        expect(0, WcStatus.SUCCESS);
        for (int i = 0; i < more; i++) {
            expect(2 + i, WcStatus.SUCCESS);
        }
        expect(1, WcStatus.WR_FLUSH_ERR);
        assertFalse(receiver.receiveCq.poll(wc));
        makePair(7);
        post(100, 102 + more);
        for (int i = 2 + more; i < 7; i++) {
            send();
            expect(i, WcStatus.SUCCESS);
        }
        send();
        expect(100, WcStatus.SUCCESS);
    }

    @Test
    void whatASenderGaveUpIsFlushedWhenTheQpIsInErrorThoughThePeerLives() {
        makePair(7);
        post(0, 3);
        SharedReceives others = receives();
        others.giveUp(others.take(receiver.qp.number()));
        assertFalse(receiver.receiveCq.poll(wc));
        receiver.qp.error();
        expect(0, WcStatus.WR_FLUSH_ERR);
        assertFalse(receiver.receiveCq.poll(wc));
    }

    @Test
    void whatIsJustBeingDeliveredIsNotFlushedWhenThePeerLives() {
        makePair(7);
        post(0, 3);
        receives().take(receiver.qp.number());
        receiver.qp.error();
        assertFalse(receiver.receiveCq.poll(wc), "its completion will come");
    }

    @Test
    void aReceiveIsLostWhenWhoTookItGaveItUpOrDiedBeforeItWasComplete() {
        makePair(7);
        post(0, 3);
        SoftSharedReceiveQueue soft = device.own(srq);
        SoftCompletionQueue cq = device.own(receiver.receiveCq);
        int qpn = receiver.qp.number();
        assertEquals(-1, soft.lost(qpn, true, cq), "nothing is taken");
        receives().take(77);
        int index = receives().take(qpn);
        assertEquals(-1, soft.lost(qpn, false, cq), "it is just being delivered");
        assertEquals(index, soft.lost(qpn, true, cq), "its sender is dead");
        receives().giveUp(index);
        assertEquals(index, soft.lost(qpn, false, cq), "its sender gave it up");
        ((Mlx5SharedReceiveQueue) srq).takeBack(index);
        assertEquals(-1, soft.lost(qpn, false, cq), "it was told");
        send();
        assertEquals(-1, soft.lost(qpn, true, cq), "it is complete, not polled");
    }

    @Test
    void closingAQpGivesBackWhatWasTakenForIt() {
        makePair(3);
        post(0, 3);
        send();
        receives().take(receiver.qp.number());
        receiver.qp.close();
        post(10, 12);
        assertEquals(0, srq.prepareReceive(ReceiveRequest.of(99)).execute(), "one is posted still");
        makePair(3);
        for (long wrId : new long[] {2, 10, 11}) {
            send();
            expect(wrId, WcStatus.SUCCESS);
        }
    }

    /** Releases what was taken for the receiver; returns how often the clock was read: it goes on by 5 ms each time. */
    private int release(boolean dead) {
        long startNs = 7_000_000;
        AtomicInteger reads = new AtomicInteger();
        clock = () -> startNs + 5_000_000L * reads.getAndIncrement();
        device.own(srq).release(receiver.qp.number(), dead, device.own(receiver.receiveCq));
        return reads.get();
    }

    @Test
    void aMessageOnItsWayToAQpThatIsClosedIsWaitedFor20MsAtMost() {
        makePair(7);
        post(0, 3);
        int other = receives().take(77);
        int index = receives().take(receiver.qp.number());
        Mlx5SharedReceiveQueue driver = (Mlx5SharedReceiveQueue) srq;
        assertEquals(1 + 4, release(false), "a moment for its sender");
        assertTrue(driver.isPosted(other, 0), "it is another QP's");
        assertFalse(driver.isPosted(index, 1), "it is taken back");
        assertEquals(1, release(false), "nothing is taken any more");
    }

    @Test
    void aMessageThatWillNotComeIsNotWaitedForWhenItsQpIsClosed() {
        makePair(7);
        post(0, 3);
        Mlx5SharedReceiveQueue driver = (Mlx5SharedReceiveQueue) srq;
        int first = receives().take(receiver.qp.number());
        assertEquals(1, release(true), "its sender is dead");
        assertFalse(driver.isPosted(first, 0));
        SharedReceives others = receives();
        int second = others.take(receiver.qp.number());
        others.giveUp(second);
        assertEquals(1, release(false), "its sender gave it up");
        assertFalse(driver.isPosted(second, 1));
        send(); // complete, not polled
        assertEquals(1, release(false), "it has come");
        assertFalse(driver.isPosted(2, 2));
    }

    @Test
    void aMessageThatComesWhileAQpIsClosedEndsTheWait() {
        makePair(7);
        post(0, 3);
        int index = receives().take(receiver.qp.number());
        SoftCompletionQueue cq = device.own(receiver.receiveCq);
        CqWriter sender = new CqWriter(cq.slab(), cq.address(), receiver.qp.number(), () -> { }, false);
        AtomicInteger reads = new AtomicInteger();
        clock = () -> {
            if (reads.incrementAndGet() == 3) {
                sender.publish(sender.claim(), 0, index, Cqe.RESP_SEND, 0);
            }
            return 0;
        };
        device.own(srq).release(receiver.qp.number(), false, cq);
        assertEquals(3, reads.get());
        assertFalse(((Mlx5SharedReceiveQueue) srq).isPosted(index, 0));
    }

    @Test
    void aTakerThatStopsBeforeTheQueueMovesOnHoldsNobodyUp() {
        makePair(7);
        post(0, 4);
        Arenas raw = new Arenas(device, device.own(srq).address());
        for (int index = 0; index < 4; index += 2) {
            int turn = SrqContext.taken(raw.state());
            assertTrue(SrqContext.take(raw.memory, raw.at, index, raw.owner(index), SrqContext.owner(turn, 77)));
            assertEquals(index + 1, receives().take(78), "who comes next moves the queue on");
        }
        assertEquals(-1, receives().take(79));
    }

    /** The context of an SRQ, for tests that play a taker step by step. */
    private record Arenas(ByteBuffer memory, int at) {

        Arenas(SoftDevice device, long address) {
            this(device.arena().require(address, SrqContext.BYTES, "srq").window(address), Slab.index(address));
        }

        long state() {
            return SrqContext.state(memory, at);
        }

        long owner(int index) {
            return SrqContext.owner(memory, at, index);
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "takers={0} maxWr={1}")
    @CsvSource({"1,1", "2,1", "2,3", "4,7", "4,100"})
    void eachReceiveIsTakenOnceAndInOrderByTakersThatStopAtRandom(int takers, int maxWr) {
        long seed = Pattern.seed("eachReceiveIsTakenOnceAndInOrder");
        srq = device.allocatePd().createSrq(new SharedReceiveQueueAttributes(maxWr, 1));
        Mlx5SharedReceiveQueue driver = (Mlx5SharedReceiveQueue) srq;
        int count = Pace.rounds(60_000); // with one WR, poster and taker wait for each other each time
        AtomicInteger left = new AtomicInteger(count);
        AtomicIntegerArray takenBy = new AtomicIntegerArray(count);
        AtomicLong done = new AtomicLong();
        List<Background<Integer>> threads = new ArrayList<>();
        for (int t = 0; t < takers; t++) {
            SplittableRandom random = new SplittableRandom(seed + t);
            int qpn = 17 + t;
            threads.add(Background.start("taker-" + t, () -> takeAll(driver, random, qpn, left, takenBy, done)));
        }
        PostReceive call = srq.prepareReceive(ReceiveRequest.of(0));
        Deadline deadline = Deadline.usual();
        for (int posted = 0; posted < count;) {
            int more = call.wrId(0, posted).execute();
            posted += more;
            deadline = more > 0 ? Deadline.usual() : deadline;
            int now = posted;
            deadline.turn(() -> "posted " + now + ", taken and complete " + done);
        }
        threads.forEach(thread -> thread.join(SECONDS));
        assertEquals(count, done.get());
        Set<Integer> seen = new HashSet<>();
        for (int turn = 0; turn < count; turn++) {
            assertEquals(1, takenBy.get(turn), "turn " + turn);
            seen.add(turn);
        }
        assertEquals(-1, receives().take(17));
    }

    /** Takes, waits now and then, completes; notes the turn that the owner word tells. */
    private int takeAll(Mlx5SharedReceiveQueue driver, SplittableRandom random, int qpn, AtomicInteger left,
            AtomicIntegerArray takenBy, AtomicLong done) {
        SharedReceives receives = receives();
        Arenas raw = new Arenas(device, device.own(srq).address());
        Deadline deadline = Deadline.usual();
        int last = -1;
        while (left.get() > 0) {
            int index = receives.take(qpn);
            if (index >= 0) {
                deadline = Deadline.usual();
                long owner = raw.owner(index);
                int turn = SrqContext.turn(owner);
                assertEquals(qpn, SrqContext.qpn(owner), "taken by two");
                assertTrue(turn > last, "turn " + turn + " after " + last);
                assertTrue(driver.isPosted(index, turn));
                last = turn;
                takenBy.incrementAndGet(turn);
                for (int pause = random.nextInt(50) == 0 ? random.nextInt(3000) : 0; pause > 0; pause--) {
                    Thread.onSpinWait();
                }
                driver.takeBack(index);
                done.incrementAndGet();
                left.decrementAndGet();
            }
            deadline.turn(() -> "left " + left);
        }
        return last;
    }
}
