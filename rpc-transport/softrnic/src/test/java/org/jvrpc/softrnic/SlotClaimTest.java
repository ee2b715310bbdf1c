package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.contract.Pace;
import org.jvrpc.verbs.contract.Pattern;
import org.jvrpc.verbs.host.ProcessId;

/** Slots of a shared CQ: claimed by one producer each, also when one stops between claim and publication, or dies. */
final class SlotClaimTest {

    private static final int SECONDS = 60;
    /** Of which each 4096th that finds nothing looks for claims of the dead. */
    private static final int POLLS = 2 * 4096;
    /** No process has such a number. */
    private static final int DEAD = 0x3ffff0;

    private SoftDevice device;
    private final List<ShmEnd> ends = new ArrayList<>();
    private CompletionQueue shared;
    private final WorkCompletion wc = new WorkCompletion();

    @BeforeEach
    void openDevice() {
        device = (SoftDevice) ShmUnderTest.open();
        shared = device.createCq(CompletionQueueAttributes.ofDepth(16));
    }

    @AfterEach
    void closeDevice() {
        device.close();
    }

    /** Makes a pair whose receiver reports to the shared CQ; returns the sender, the receiver is the last of ends. */
    private ShmEnd pair() {
        ShmEnd sender = new ShmEnd(device, 4);
        ShmEnd receiver = new ShmEnd(device, 4, shared, sender.channel);
        byte[] endpoint = sender.qp.endpoint();
        sender.qp.connect(receiver.qp.endpoint());
        receiver.qp.connect(endpoint);
        for (int i = 0; i < 4; i++) {
            assertEquals(1, receiver.qp.prepareReceive(ReceiveRequest.of(i, receiver.sge(0, 64))).execute());
        }
        ends.add(receiver);
        return sender;
    }

    private CqWriter writerFor(ShmEnd receiver) {
        return writerFor(receiver, ProcessId.NUMBER);
    }

    private CqWriter writerFor(ShmEnd receiver, int process) {
        SoftCompletionQueue cq = device.own(shared);
        return new CqWriter(cq.slab(), cq.address(), receiver.qp.number(), process, () -> { }, false);
    }

    private static void send(ShmEnd sender, int wrId) {
        assertEquals(1, sender.qp.prepareSend(SendRequest.send(wrId, sender.sge(0, 8)).signalled()).execute());
    }

    private void expect(ShmEnd receiver, long wrId, WcStatus status) {
        boolean found = false;
        for (int i = 0; i < POLLS && !found; i++) {
            found = shared.poll(wc);
        }
        assertTrue(found, () -> "no completion in " + POLLS + " polls, wrId=" + wrId);
        expected(receiver, wrId, status);
    }

    private void expected(ShmEnd receiver, long wrId, WcStatus status) {
        assertTrue(wc.qpNumber() == receiver.qp.number() && wc.wrId() == wrId && wc.status() == status,
                () -> "expected qpNumber=" + receiver.qp.number() + " wrId=" + wrId + " " + status + ", got " + wc);
    }

    @Test
    void aProducerThatStopsBetweenClaimAndPublicationDelaysOthersButLosesNothing() {
        pair();
        ShmEnd live = pair();
        ShmEnd slow = ends.get(0);
        CqWriter writer = writerFor(slow);
        for (int round = 0; round < 3; round++) {
            int at = writer.claim();
            send(live, round);
            assertFalse(shared.poll(wc), "what is behind an open slot waits");
            BigEndian.putInt(writer.memory(), at + Cqe.BYTE_COUNT, 40);
            writer.publish(at, 0, round, Cqe.RESP_SEND, 0);
            expect(slow, round, WcStatus.SUCCESS);
            expect(ends.get(1), round, WcStatus.SUCCESS);
            assertFalse(shared.poll(wc));
        }
    }

    @Test
    void aSlotThatADeadProducerClaimedIsPassedOver() {
        pair();
        ShmEnd live = pair();
        ShmEnd dead = ends.get(0);
        writerFor(dead, DEAD).claim();
        send(live, 0);
        writerFor(dead, DEAD).claim();
        send(live, 1);
        assertFalse(shared.poll(wc));
        ((SoftQueuePair) ((Mlx5QueuePair) dead.qp).control()).peerDied();
        expect(ends.get(1), 0, WcStatus.SUCCESS);
        expect(ends.get(1), 1, WcStatus.SUCCESS);
        for (int i = 0; i < 4; i++) {
            expect(dead, i, WcStatus.WR_FLUSH_ERR);
        }
        send(live, 2);
        expect(ends.get(1), 2, WcStatus.SUCCESS);
    }

    @Test
    void aSlotClaimedForAQpThatIsClosedMeanwhileIsPassedOverOnceADeathIsSeen() {
        pair();
        pair();
        ShmEnd live = pair();
        writerFor(ends.get(0), DEAD).claim();
        ends.get(0).qp.close();
        send(live, 0);
        ((SoftQueuePair) ((Mlx5QueuePair) ends.get(1).qp).control()).peerDied();
        expect(ends.get(2), 0, WcStatus.SUCCESS);
    }

    @Test
    void aSlotThatADeadProducerClaimedIsFoundThoughNoDeathIsSeen() {
        pair();
        ShmEnd live = pair();
        writerFor(ends.get(0), DEAD).claim();
        ends.get(0).qp.close();
        send(live, 0);
        expect(ends.get(1), 0, WcStatus.SUCCESS);
    }

    private void next(ShmEnd receiver, long wrId, WcStatus status) {
        assertTrue(shared.poll(wc), "no completion");
        expected(receiver, wrId, status);
    }

    private static void peerDied(ShmEnd end) {
        ((SoftQueuePair) ((Mlx5QueuePair) end.qp).control()).peerDied();
    }

    @Test
    void aClaimOfAProcessWithoutANumberIsOfTheDeadOnceTheConnectionOfItsQpHasEnded() {
        pair();
        pair();
        ShmEnd live = pair();
        writerFor(ends.get(0), 0).claim();
        send(live, 0);
        peerDied(ends.get(1));
        for (int i = 0; i < 4; i++) {
            next(ends.get(1), i, WcStatus.WR_FLUSH_ERR);
        }
        assertFalse(shared.poll(wc), "the slot is another QP's, whose peer lives");
        peerDied(ends.get(0));
        next(ends.get(2), 0, WcStatus.SUCCESS);
    }

    @ParameterizedTest(name = "dead={0}")
    @ValueSource(booleans = {false, true})
    void aQpThatIsClosedTakesTheClaimsOfItsDeadPeerAlong(boolean dead) {
        pair();
        ShmEnd live = pair();
        writerFor(ends.get(0), 0).claim();
        send(live, 0);
        if (dead) {
            peerDied(ends.get(0));
        }
        ends.get(0).qp.close();
        assertEquals(dead, shared.poll(wc), "its slot was passed over");
    }

    @Test
    void aClaimOfTheDeadIsPassedOverThoughTheSlotBeforeItIsFilledJustThen() {
        pair();
        pair();
        ShmEnd live = pair();
        ShmEnd dead = ends.get(0);
        peerDied(dead);
        for (int i = 0; i < 4; i++) {
            next(dead, i, WcStatus.WR_FLUSH_ERR);
        }
        assertFalse(shared.poll(wc), "the death is known");
        CqWriter slow = writerFor(ends.get(1));
        int at = slow.claim();
        writerFor(dead, DEAD).claim();
        send(live, 0);
        slow.publish(at, 0, 0, Cqe.RESP_SEND, 0); // after a poll has found the slot empty
        device.own(shared).progress(); // and before it looks at the claims
        next(ends.get(1), 0, WcStatus.SUCCESS);
        next(ends.get(2), 0, WcStatus.SUCCESS);
    }

    @Test
    void claimsOfTheDeadArePassedOverInEachLap() {
        pair();
        SoftCompletionQueue cq = device.own(shared);
        for (int i = 0; i < 3 * 16; i++) {
            assertTrue(writerFor(ends.get(0), DEAD).claim() >= 0, "claim " + i);
            cq.alert();
            assertFalse(shared.poll(wc));
            assertEquals(i + 1, cq.driver().consumer());
        }
    }

    @ParameterizedTest(name = "closed={0}")
    @ValueSource(booleans = {false, true})
    void aSlotThatALivingProducerFillsIsLeftAloneWhateverBecameOfItsQp(boolean closed) throws IOException {
        pair();
        pair();
        ShmEnd live = pair();
        Process other = new ProcessBuilder("sleep", "1000").start();
        try {
            CqWriter slow = writerFor(ends.get(0), (int) other.pid());
            int at = slow.claim();
            send(live, 0);
            if (closed) {
                ends.get(0).qp.close();
            }
            ((SoftQueuePair) ((Mlx5QueuePair) ends.get(closed ? 1 : 0).qp).control()).peerDied();
            for (int i = 0; i < 10_000; i++) {
                assertFalse(shared.poll(wc) && wc.status() != WcStatus.WR_FLUSH_ERR,
                        () -> "passed over a slot that is being filled: " + wc);
            }
            slow.publish(at, 0, 0, Cqe.RESP_SEND, 0);
            Deadline.until("the completion behind", () -> shared.poll(wc)
                    && wc.qpNumber() == ends.get(2).qp.number());
        } finally {
            other.destroyForcibly();
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "producers={0} entries={1}")
    @CsvSource({"2,4", "3,8", "4,64"})
    void eachSlotIsClaimedOnceByProducersThatStopAtRandom(int producers, int entries) {
        long seed = Pattern.seed("eachSlotIsClaimedOnceByProducersThatStopAtRandom");
        int count = Pace.rounds(120_000) / producers;
        ByteBuffer memory = ByteBuffer.allocateDirect(CqContext.RING + entries * 64 + 64).alignedSlice(64)
                .order(ByteOrder.LITTLE_ENDIAN);
        Slab slab = Slab.wrap(memory, 0);
        Cqe.initialize(memory, CqContext.RING, entries, 64);
        CqContext.write(memory, 0, 1, entries, 64, false, false);
        AtomicInteger[] consumed = new AtomicInteger[producers];
        List<Background<Integer>> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            consumed[p] = new AtomicInteger();
            int qpn = p;
            int window = entries / producers;
            SplittableRandom random = new SplittableRandom(seed + p);
            threads.add(Background.start("producer-" + p, () -> produce(
                    new CqWriter(slab, slab.base(), qpn, () -> { }, false), random, consumed[qpn], window, count)));
        }
        consume(memory, entries, consumed, producers * count, threads);
        threads.forEach(thread -> assertEquals(count, thread.join(SECONDS)));
        assertEquals(0, CqContext.flags(memory, 0), "an overrun that was none");
    }

    private static int produce(
            CqWriter writer, SplittableRandom random, AtomicInteger consumed, int window, int count) {
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        for (int n = 0; n < count; n++) {
            while (n - consumed.get() >= window) {
                deadline.turn(() -> "consumed " + consumed);
            }
            int at = writer.claim();
            assertTrue(at >= 0, "overrun at " + n);
            for (int pause = random.nextInt(50) == 0 ? random.nextInt(3000) : 0; pause > 0; pause--) {
                Thread.onSpinWait();
            }
            BigEndian.putInt(writer.memory(), at + Cqe.BYTE_COUNT, n);
            writer.publish(at, 0, n, Cqe.RESP_SEND, 0);
        }
        return count;
    }

    private static void consume(
            ByteBuffer memory, int entries, AtomicInteger[] consumed, int total, List<Background<Integer>> threads) {
        int shift = Integer.numberOfTrailingZeros(entries);
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        for (int ci = 0; ci < total; ci++) {
            int at = CqContext.RING + (ci & entries - 1) * 64;
            long tail = BigEndian.getLongAcquire(memory, at + Cqe.TAIL);
            while (!Cqe.valid(tail, ci >>> shift)) {
                int now = ci;
                deadline.turn(() -> "slot " + now + " of " + total + ", done " + threads.stream()
                        .map(Background::isDone).toList());
                tail = BigEndian.getLongAcquire(memory, at + Cqe.TAIL);
            }
            int next = consumed[Cqe.qpn(tail)].get();
            assertEquals(next, BigEndian.getInt(memory, at + Cqe.BYTE_COUNT), "lost, doubled or torn at " + ci);
            assertEquals(next & 0xffff, Cqe.wqeCounter(tail));
            BigEndian.putIntRelease(memory, CqContext.RECORD + DoorbellRecord.CONSUMER,
                    ci + 1 & DoorbellRecord.CONSUMER_MASK);
            consumed[Cqe.qpn(tail)].set(next + 1);
        }
    }
}
