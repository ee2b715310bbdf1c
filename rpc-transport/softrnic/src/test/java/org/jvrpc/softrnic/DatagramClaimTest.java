package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.softrnic.memory.ProcessId;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.shm.ShmEndpoint;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.contract.Pattern;

/** A sender of datagrams dies at each step of a delivery: the next finds the QP, its receives and its CQ in order. */
final class DatagramClaimTest {

    /** Of this namespace, where no process has such a number. */
    private static final long DEAD = ProcessId.of(0x3ffff0);
    private static final long ALSO_DEAD = ProcessId.of(0x3ffff1);
    private static final int RECEIVES = 8;
    private static final int HEADER = 40;

    private SoftDevice device;
    private CompletionQueue shared;
    private ShmEnd receiver;
    private ShmEnd sender;
    private Destination there;
    private SoftQueuePair control;
    private ByteBuffer memory;
    private int context;
    private final WorkCompletion wc = new WorkCompletion();

    @BeforeEach
    void openDevice() {
        device = (SoftDevice) ShmUnderTest.open();
        shared = device.createCq(CompletionQueueAttributes.ofDepth(16));
        sender = datagrams(null);
        makeReceiver();
    }

    private void makeReceiver() {
        receiver = datagrams(shared);
        there = destination(sender, receiver);
        control = (SoftQueuePair) ((Mlx5QueuePair) receiver.qp).control();
        long address = ShmEndpoint.decode("test", receiver.qp.endpoint()).address();
        memory = device.arena().require(address, QpContext.BYTES, "qp").window(address);
        context = Slab.index(address);
        for (int i = 0; i < RECEIVES; i++) {
            assertEquals(1, receiver.qp.prepareReceive(
                    ReceiveRequest.of(i, receiver.sge(128 * i, HEADER + 64))).execute());
        }
    }

    @AfterEach
    void closeDevice() {
        device.close();
    }

    private ShmEnd datagrams(CompletionQueue cq) {
        ShmEnd end = new ShmEnd(device, RECEIVES, cq, device.createChannel(), with -> with.datagram(ShmEnd.QKEY));
        end.qp.ready();
        return end;
    }

    private static Destination destination(ShmEnd from, ShmEnd to) {
        return new Destination(from.pd.createAh(to.qp.endpoint()), to.qp.number(), ShmEnd.QKEY);
    }

    private void send(ShmEnd from, Destination to, long value) {
        from.mr.buffer(0, 8).putLong(0, value);
        assertEquals(1, from.qp.prepareSend(SendRequest.datagram(value, to, from.sge(0, 8)).signalled()).execute());
        Deadline.until("send", () -> from.sendCq.poll(wc));
        assertTrue(wc.succeeded() && wc.wrId() == value, wc::toString);
    }

    private void expect(long wrId, long value) {
        Deadline.until("wrId=" + wrId, () -> shared.poll(wc));
        assertTrue(wc.succeeded() && wc.wrId() == wrId && wc.qpNumber() == receiver.qp.number(), wc::toString);
        assertEquals(value, receiver.mr.buffer(128 * wrId + HEADER, 8).getLong(0));
    }

    /** How far a sender came that died. */
    private enum Step {
        CLAIMED, CQE_CLAIMED, CQE_IN_HAND, PUBLISHED, CONSUMED;

        boolean isDelivered() {
            return ordinal() >= PUBLISHED.ordinal();
        }
    }

    /** Does what a sender does, up to a step, and leaves the claim to a dead process. */
    private void dieAt(Step step, long value) {
        CqWriter writer = new CqWriter(device.own(shared).slab(), device.own(shared).address(),
                receiver.qp.number(), ProcessId.number(DEAD), () -> { }, false);
        assertTrue(DatagramContext.claim(memory, context, 0, DEAD));
        int consumed = DatagramContext.consumed(DatagramContext.hand(memory, context));
        int slot = consumed % RECEIVES;
        receiver.mr.buffer(128 * slot + HEADER, 8).putLong(0, value);
        if (step.compareTo(Step.CQE_CLAIMED) >= 0) {
            int cqe = writer.claim();
            if (step.compareTo(Step.CQE_IN_HAND) >= 0) {
                DatagramContext.hand(memory, context, consumed, cqe + 1);
            }
            if (step.compareTo(Step.PUBLISHED) >= 0) {
                BigEndian.putInt(writer.memory(), cqe + Cqe.BYTE_COUNT, HEADER + 8);
                writer.publish(cqe, 0, consumed, Cqe.RESP_SEND, 0);
            }
            if (step == Step.CONSUMED) {
                DatagramContext.hand(memory, context, consumed + 1, 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void theNextSenderTakesOver(Step step) {
        send(sender, there, 1000);
        dieAt(step, 2000);
        send(sender, there, 3000);
        expect(0, 1000);
        if (step.isDelivered()) {
            expect(1, 2000);
        }
        int next = step.isDelivered() ? 2 : 1;
        expect(next, 3000);
        send(sender, there, 4000);
        expect(next + 1, 4000);
        everyReceiveIsStillThere(next + 2);
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void theOwnersPollsFreeTheQpAndItsCqWhenNobodySendsAnyMore(Step step) {
        dieAt(step, 2000);
        ShmEnd other = datagrams(shared);
        assertEquals(1, other.qp.prepareReceive(ReceiveRequest.of(99, other.sge(0, HEADER + 8))).execute());
        send(sender, destination(sender, other), 5000);
        if (step.isDelivered()) {
            expect(0, 2000);
        }
        Deadline.until("the other QP's completion", () -> shared.poll(wc));
        assertEquals(99, wc.wrId(), wc::toString);
        Deadline.until("the claim to be free", () -> {
            assertFalse(shared.poll(wc), wc::toString);
            return DatagramContext.claimant(memory, context) == 0;
        });
        int next = step.isDelivered() ? 1 : 0;
        send(sender, there, 3000);
        expect(next, 3000); // no receive was passed over
        everyReceiveIsStillThere(next + 1);
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void whoTakesOverMayDieToo(Step step) {
        dieAt(step, 2000);
        assertTrue(DatagramContext.claim(memory, context, DEAD, ALSO_DEAD));
        send(sender, there, 3000);
        if (step.isDelivered()) {
            expect(0, 2000);
        }
        int next = step.isDelivered() ? 1 : 0;
        expect(next, 3000);
        everyReceiveIsStillThere(next + 1);
    }

    @Test
    void whoTakesOverMayDieBeforeItClearsTheClaims() {
        dieAt(Step.CQE_IN_HAND, 2000);
        assertTrue(DatagramContext.claim(memory, context, DEAD, ALSO_DEAD));
        DatagramContext.hand(memory, context, 0, 0);
        send(sender, there, 3000);
        expect(0, 3000);
        everyReceiveIsStillThere(1);
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void whoSleepsIsWokenThoughADeadSendersSlotLiesBefore(Step step) {
        EventChannel channel = device.createChannel();
        shared = device.createCq(CompletionQueueAttributes.ofDepth(16).withChannel(channel));
        makeReceiver();
        ShmEnd other = datagrams(shared);
        assertEquals(1, other.qp.prepareReceive(ReceiveRequest.of(99, other.sge(0, HEADER + 8))).execute());
        dieAt(step, 1);
        while (shared.poll(wc)) {
            assertTrue(step.isDelivered());
        }
        Destination to = destination(sender, other);
        Background<Long> waiter = Background.start("waiter", () -> {
            WorkCompletion found = new WorkCompletion();
            Deadline deadline = Deadline.usual();
            do {
                shared.arm();
                if (shared.poll(found)) {
                    return found.wrId();
                }
                channel.await(Deadline.BOUND_NS);
            } while (!deadline.isOver());
            return -1L;
        });
        send(sender, to, 7);
        assertEquals(99, waiter.join(60));
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void closingTheQpFreesTheCqForOthers(Step step) {
        dieAt(step, 2000);
        ShmEnd other = datagrams(shared);
        assertEquals(1, other.qp.prepareReceive(ReceiveRequest.of(99, other.sge(0, HEADER + 8))).execute());
        send(sender, destination(sender, other), 5000);
        receiver.qp.close();
        Deadline.until("the other QP's completion", () -> shared.poll(wc));
        assertEquals(99, wc.wrId(), wc::toString);
    }

    @Test
    void aCompletionOfTheOwnersThatIsBeingWrittenIsNotTakenForTheDeadSenders() {
        SoftCompletionQueue cq = device.own(shared);
        CqWriter own = new CqWriter(cq.slab(), cq.address(), receiver.qp.number(), () -> { }, false);
        int at = own.claim();
        dieAt(Step.CQE_CLAIMED, 2000);
        send(sender, there, 3000);
        assertFalse(shared.poll(wc), () -> "passed over a slot that is being filled: " + wc);
        own.error(at, 5, Cqe.RESP_ERR, WcStatus.LOC_LEN_ERR, 0);
        Deadline.until("the owner's completion", () -> shared.poll(wc));
        assertEquals(WcStatus.LOC_LEN_ERR, wc.status());
    }

    private void everyReceiveIsStillThere(int from) {
        receiver.qp.error();
        for (int i = from; i < RECEIVES; i++) {
            int wrId = i;
            Deadline.until("flush of " + wrId, () -> shared.poll(wc));
            assertTrue(wc.wrId() == wrId && wc.status() == WcStatus.WR_FLUSH_ERR, wc::toString);
        }
        assertFalse(shared.poll(wc));
    }

    @Test
    void aSenderDropsItsMessageWhenALivingOneHoldsTheQpForLong() {
        try (ChildJvm child = PeerMain.start("device", "none")) {
            child.expect("DEVICE");
            assertTrue(DatagramContext.claim(memory, context, 0, ProcessId.of(child.pid())));
            long startNs = System.nanoTime();
            send(sender, there, 1);
            assertTrue(System.nanoTime() - startNs < Deadline.BOUND_NS);
            assertEquals(1, control.dropped(DatagramContext.Drop.BUSY));
            DatagramContext.release(memory, context);
            send(sender, there, 2);
            expect(0, 2);
        }
    }

    @Test
    void aProcessOfAnotherNamespaceIsNotTakenForDead() {
        assertTrue(ProcessId.isDead(DEAD));
        assertFalse(ProcessId.isDead(DEAD ^ 1L << 50));
        assertFalse(ProcessId.isDead(ProcessId.SELF));
        assertFalse(ProcessId.isDead(0));
        ChildJvm child = PeerMain.start("device", "none");
        long id = ProcessId.of(child.pid());
        assertFalse(ProcessId.isDead(id));
        child.kill();
        assertTrue(ProcessId.isDead(id));
    }

    @Test
    void dropsAreCountedByReason() {
        long nobody = device.node().routes().undeliverable();
        send(sender, new Destination(there.handle(), there.qpNumber(), 9), 1);
        send(sender, new Destination(there.handle(), 0x777777, ShmEnd.QKEY), 2);
        assertEquals(1, sender.qp.prepareSend(SendRequest.datagram(3, there, sender.sge(0, 65))).execute());
        for (int i = 0; i < RECEIVES; i++) {
            send(sender, there, i);
            expect(i, i);
        }
        send(sender, there, 4);
        int[] counts = Arrays.stream(DatagramContext.Drop.values()).mapToInt(control::dropped).toArray();
        assertEquals(List.of(1, 1, 1, 0, 0), Arrays.stream(counts).boxed().toList());
        assertEquals(nobody + 1, device.node().routes().undeliverable());
    }

    @Test
    void sendersAtATimeLoseWhatIsCountedAndNothingElse() {
        int senders = 4;
        int count = 5000;
        PostReceiveLoop loop = new PostReceiveLoop();
        List<Background<Integer>> threads = new ArrayList<>();
        for (int s = 0; s < senders; s++) {
            ShmEnd end = datagrams(null);
            Destination to = destination(end, receiver);
            threads.add(Background.start("sender-" + s, () -> flood(end, to, count)));
        }
        loop.until(threads);
        threads.forEach(thread -> assertEquals(count, thread.join(60)));
        int dropped = Arrays.stream(DatagramContext.Drop.values()).mapToInt(control::dropped).sum();
        System.out.println("sendersAtATime: received " + loop.received + " dropped " + dropped);
        assertEquals(senders * count, loop.received + dropped);
        assertTrue(loop.received >= RECEIVES, "received=" + loop.received);
    }

    /** Posts each receive again. */
    private final class PostReceiveLoop {

        private final Map<Integer, Long> last = new HashMap<>();
        private int received;

        void until(List<Background<Integer>> threads) {
            var call = receiver.qp.prepareReceive(ReceiveRequest.of(0, receiver.sge(0, HEADER + 64)));
            Deadline deadline = Deadline.ofMillis(60_000);
            for (boolean ended = false; !ended;) {
                ended = threads.stream().allMatch(Background::isDone);
                while (shared.poll(wc)) {
                    assertTrue(wc.succeeded() && wc.byteLength() == HEADER + 8, wc::toString);
                    long number = receiver.mr.buffer(128 * wc.wrId() + HEADER, 8).getLong(0);
                    Long before = last.put(wc.sourceQp(), number);
                    assertTrue(before == null || number > before, () -> number + " after " + before);
                    received++;
                    assertEquals(1, call.wrId(0, wc.wrId()).offset(0, 0, 128 * wc.wrId()).execute());
                }
                deadline.turn(() -> "received " + received);
            }
        }
    }

    private static int flood(ShmEnd end, Destination to, int count) {
        PostSend call = end.qp.prepareSend(SendRequest.datagram(0, to, end.sge(0, 8)).signalled());
        WorkCompletion done = new WorkCompletion();
        for (int n = 0; n < count; n++) {
            end.mr.buffer(0, 8).putLong(0, n);
            assertEquals(1, call.wrId(0, n).execute());
            Deadline.until("send", () -> end.sendCq.poll(done));
        }
        return count;
    }

    @Test
    void aHandleThatIsClosedFailsTheSend() {
        AddressHandle handle = sender.pd.createAh(receiver.qp.endpoint());
        Destination to = new Destination(handle, receiver.qp.number(), ShmEnd.QKEY);
        send(sender, to, 1);
        expect(0, 1);
        handle.close();
        sender.pd.createAh(receiver.qp.endpoint());
        assertEquals(1, sender.qp.prepareSend(SendRequest.datagram(5, to, sender.sge(0, 8))).execute());
        Deadline.until("failure", () -> sender.sendCq.poll(wc));
        assertEquals(WcStatus.LOC_QP_OP_ERR, wc.status());
        assertEquals(QueuePairState.ERR, sender.qp.state());
    }

    @Test
    void aHandleOfAnotherDomainFailsTheSend() {
        Destination to = new Destination(
                device.allocatePd().createAh(receiver.qp.endpoint()), receiver.qp.number(), ShmEnd.QKEY);
        assertEquals(1, sender.qp.prepareSend(SendRequest.datagram(5, to, sender.sge(0, 8))).execute());
        Deadline.until("failure", () -> sender.sendCq.poll(wc));
        assertEquals(WcStatus.LOC_QP_OP_ERR, wc.status());
    }

    @Test
    void aReceiveWithABadKeyFailsTheReceiversQpAlone() {
        ShmEnd bad = datagrams(null);
        assertEquals(1, bad.qp.prepareReceive(ReceiveRequest.of(
                7, new Sge(bad.mr.address(), 100, bad.mr.lkey() ^ 0x3300))).execute());
        send(sender, destination(sender, bad), 1);
        Deadline.until("failure", () -> bad.receiveCq.poll(wc));
        assertTrue(wc.wrId() == 7 && wc.status() == WcStatus.LOC_PROT_ERR, wc::toString);
        assertEquals(QueuePairState.ERR, bad.qp.state());
        send(sender, there, 2);
        expect(0, 2);
    }

    @Test
    void aDatagramQpIsNotConnectedThroughAListener() {
        ShmEnd end = new ShmEnd(device, 1, null, sender.channel, with -> with.datagram(1));
        try (Listener listener = device.listen(SharedMemoryFolder.freshAddress(), sender.channel)) {
            VerbsException e = assertThrows(VerbsException.class, () -> device.connect(
                    listener.address(), end.qp, new byte[0], sender.channel, 1_000_000_000L));
            assertTrue(e.getMessage().contains("datagram"), e.getMessage());
            sender.channel.await(0);
            assertNull(listener.poll(), "nobody was asked");
        }
        assertEquals(QueuePairState.INIT, end.qp.state());
    }

    @Test
    void qpsThatCannotBeAreRefused() {
        CompletionQueue exclusive = device.createCq(new CompletionQueueAttributes(8, 64, true, false, null));
        assertThrows(VerbsException.class,
                () -> new ShmEnd(device, 1, exclusive, sender.channel, with -> with.datagram(1)));
        var srq = sender.pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        assertThrows(VerbsException.class,
                () -> new ShmEnd(device, 1, shared, sender.channel, with -> with.datagram(1).sharedReceive(srq)));
    }

    @Test
    void thousandsOfQpsAreReachedAndForgotten() {
        long seed = Pattern.seed("thousandsOfQps");
        List<ShmEnd> ends = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 600; i++) {
            if (ends.size() < 40 || random.nextBoolean()) {
                ends.add(datagrams(null));
            } else {
                ends.remove(random.nextInt(ends.size())).close();
            }
            ShmEnd end = ends.get(random.nextInt(ends.size()));
            assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(i, end.sge(0, HEADER + 8))).execute());
            send(sender, new Destination(there.handle(), end.qp.number(), ShmEnd.QKEY), i);
            int wrId = i;
            Deadline.until("arrival", () -> end.receiveCq.poll(wc));
            assertEquals(wrId, wc.wrId());
        }
    }
}
