package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.host.ProcessId;

/** A sender of datagrams dies at each step of a delivery: the next finds the QP, its receives and its CQ in order. */
final class DatagramClaimTest extends DatagramFixture {

    /** Of this namespace, where no process has such a number. */
    private static final long DEAD = ProcessId.of(0x3ffff0);
    private static final long ALSO_DEAD = ProcessId.of(0x3ffff1);

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
}
