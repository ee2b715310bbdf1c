package org.jvrpc.softrnic.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.memory.OneSlab;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.host.ProcessId;

/** A UD QP as one of its senders sees it: what it takes, what is dropped, and whom it is taken over from. */
final class DatagramTargetTest extends DatagramMemory {

    /** Of this namespace, where no process has such a number. */
    private static final long DEAD = ProcessId.of(0x3ffff0);

    /** How far a sender came that died. */
    private enum Step {
        CLAIMED, CQE_CLAIMED, CQE_IN_HAND, PUBLISHED, CONSUMED
    }

    private void deliver(DatagramTarget target, int length) {
        GatherList message = new GatherList();
        message.add(slab, from.address(), length);
        target.deliver(message, Cqe.RESP_SEND, 0, SENDER, QKEY);
    }

    @Test
    void aMessageFillsThePiecesOfAReceiveBehindTheRoomForItsHeader() {
        make();
        receive(0, 30, 20, 50, 7); // the header is in the first two
        deliver(target(), 67);
        assertEquals(107, byteCount(expectReceived(WcStatus.SUCCESS)));
        for (int i = 0; i < 67; i++) {
            int place = i < 10 ? 256 + 10 + i : i < 60 ? 512 + i - 10 : 768 + i - 60;
            assertEquals(memory.get(SENT + i), memory.get(RECEIVED + place), "byte " + i);
        }
        for (int place : new int[] {0, 29, 256, 256 + 9, 256 + 20, 512 + 50, 768 + 7}) {
            assertEquals(0, memory.get(RECEIVED + place), "beside the pieces, at " + place);
        }
        assertEquals(1, consumed());
        expectNothingMore();
    }

    @Test
    void aMessageMayLeaveThePiecesOfAReceiveInPartEmpty() {
        make();
        receive(0, 30, 20, 50, 7);
        deliver(target(), 30);
        assertEquals(70, byteCount(expectReceived(WcStatus.SUCCESS)));
        for (int i = 0; i < 30; i++) {
            int place = i < 10 ? 256 + 10 + i : 512 + i - 10;
            assertEquals(memory.get(SENT + i), memory.get(RECEIVED + place), "byte " + i);
        }
        assertEquals(0, memory.get(RECEIVED + 512 + 20), "behind the message");
    }

    @Test
    void aReceiveThatIsShortenedWhileItIsFilledFails() {
        make();
        receive(0, 30, 20, 50, 50);
        receive(1, 200, 20, 50, 50);
        DatagramTarget target = target();
        int[] looks = {0};
        whenLookedAt = () -> {
            if (++looks[0] == 1) {
                receive(0, 30, 20, 50, 20);
                posted(2);
            }
        };
        deliver(target, 110);
        expectReceived(WcStatus.LOC_PROT_ERR);
        assertEquals(3, looks[0], "the pieces of one receive that hold more than the header");
        assertEquals(QueuePairState.ERR, state(RECEIVER_QP));
    }

    /** By which whoever takes over from a sender that dies here sees which completion it was writing. */
    @Test
    void theCompletionIsInHandWhileItIsWritten() {
        make();
        receive(0, HEADER + 64);
        CqContext.arm(memory, RECEIVE_CQ);
        long[] hand = {0};
        DatagramTarget target = new DatagramTarget(space, address(RECEIVER_QP),
                () -> hand[0] = DatagramContext.hand(memory, RECEIVER_QP));
        deliver(target, 8);
        assertEquals(cqe(RECEIVE_CQ, 0) + 1, DatagramContext.cqe(hand[0]));
        assertEquals(0, DatagramContext.consumed(hand[0]), "its receive is not used yet");
        assertEquals(0, DatagramContext.cqe(DatagramContext.hand(memory, RECEIVER_QP)), "afterwards none is");
    }

    @Test
    void aMessageLongerThanItsReceiveIsDroppedAndTheReceiveIsKept() {
        make();
        receive(0, 30, 20, 50, 7);
        receive(1, HEADER + 64); // what lies behind a full receive is another's
        DatagramTarget target = target();
        deliver(target, 68);
        assertEquals(1, dropped(DatagramContext.Drop.TOO_LONG));
        assertEquals(0, consumed());
        expectNothingMore();
        deliver(target, 67);
        expectReceived(WcStatus.SUCCESS);
        deliver(target, 64);
        deliver(target, 64);
        expectReceived(WcStatus.SUCCESS);
        expectNothingMore();
    }

    @Test
    void aMessageWithoutItsKeyIsDropped() {
        make();
        receive(0, HEADER + 64);
        target().deliver(new GatherList(), Cqe.RESP_SEND, 0, SENDER, QKEY + 1);
        assertEquals(1, dropped(DatagramContext.Drop.QKEY));
        expectNothingMore();
    }

    @Test
    void aMessageThatTheCqHasNoRoomForIsDroppedAndTheReceiveIsKept() {
        make();
        DatagramTarget target = target();
        for (int i = 0; i < CQES; i++) {
            receive(i, HEADER + 64);
            deliver(target, 8);
            expectReceived(WcStatus.SUCCESS);
        }
        receive(CQES, HEADER + 64);
        deliver(target, 8);
        assertEquals(1, dropped(DatagramContext.Drop.NO_CQE));
        assertEquals(CQES, consumed());
        consume();
        deliver(target, 8);
        expectReceived(WcStatus.SUCCESS);
        assertEquals(CQES + 1, consumed());
        expectNothingMore();
    }

    @Test
    void aReceiveIntoMemoryOfAnotherDomainFailsAndIsUsed() {
        make();
        receive(0, HEADER + 64);
        segment(receiveWqe(0), HEADER + 64, others.key(), others.address());
        deliver(target(), 8);
        expectReceived(WcStatus.LOC_PROT_ERR);
        assertEquals(QueuePairState.ERR, state(RECEIVER_QP));
        assertTrue((CqContext.flags(memory, RECEIVE_CQ) & CqContext.ATTENTION) != 0, "the owner is to look");
        assertEquals(1, consumed());
        assertEquals(0, memory.get(RECEIVED + HEADER));
        expectNothingMore();
    }

    @Test
    void whoSleepsIsWokenOnce() {
        make();
        receive(0, HEADER + 64);
        receive(1, HEADER + 64);
        CqContext.arm(memory, RECEIVE_CQ);
        DatagramTarget target = target();
        deliver(target, 8);
        deliver(target, 8);
        assertEquals(1, woken);
    }

    @Test
    void aSenderDoesNotWaitForeverForAnotherAndTakesNothingFromIt() {
        make();
        receive(0, HEADER + 64);
        assertTrue(DatagramContext.claim(memory, RECEIVER_QP, 0, ProcessId.SELF));
        DatagramTarget target = target();
        deliver(target, 8);
        assertEquals(1, dropped(DatagramContext.Drop.BUSY));
        assertEquals(0, consumed());
        target.settle();
        target.lookForDead();
        target.lookForDead();
        assertEquals(ProcessId.SELF, DatagramContext.claimant(memory, RECEIVER_QP), "it is alive");
        DatagramContext.release(memory, RECEIVER_QP);
        target.settle();
        assertEquals(0, DatagramContext.claimant(memory, RECEIVER_QP), "the owner waits, and keeps nothing");
    }

    /** Does what a sender does, up to a step, and leaves the claim to a dead process. */
    private void dieAt(Step step) {
        CqWriter writer = new CqWriter(slab, address(RECEIVE_CQ), RECEIVER, ProcessId.number(DEAD), () -> { }, false);
        assertTrue(DatagramContext.claim(memory, RECEIVER_QP, 0, DEAD));
        int cqe = step.compareTo(Step.CQE_CLAIMED) >= 0 ? writer.claim() : 0;
        if (step.compareTo(Step.CQE_IN_HAND) >= 0) {
            DatagramContext.hand(memory, RECEIVER_QP, 0, cqe + 1);
        }
        if (step.compareTo(Step.PUBLISHED) >= 0) {
            writer.publish(cqe, 0, 0, Cqe.RESP_SEND, 0);
        }
        if (step == Step.CONSUMED) {
            DatagramContext.hand(memory, RECEIVER_QP, 1, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void whatADeadSenderLeftIsPutRightByTheNext(Step step) {
        make();
        receive(0, HEADER + 64);
        receive(1, HEADER + 64);
        dieAt(step);
        deliver(target(), 8);
        boolean delivered = step.compareTo(Step.PUBLISHED) >= 0;
        assertEquals(delivered ? 2 : 1, consumed(), "each message uses one receive");
        if (step != Step.CLAIMED) {
            int at = expectReceived(WcStatus.SUCCESS);
            int number = Cqe.qpn(BigEndian.getLong(memory, at + Cqe.TAIL));
            assertEquals(delivered ? RECEIVER : CqContext.NOBODY, number, "what was claimed and not written is void");
        }
        assertEquals(HEADER + 8, byteCount(expectReceived(WcStatus.SUCCESS)));
        expectNothingMore();
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void theOwnerFreesItsQpFromADeadSenderTheSecondTimeItLooks(Step step) {
        make();
        receive(0, HEADER + 64);
        DatagramTarget target = target();
        target.lookForDead();
        dieAt(step);
        target.lookForDead();
        assertEquals(DEAD, DatagramContext.claimant(memory, RECEIVER_QP), "it may just have let go");
        target.lookForDead();
        assertEquals(0, DatagramContext.claimant(memory, RECEIVER_QP));
        assertEquals(step.compareTo(Step.PUBLISHED) >= 0 ? 1 : 0, consumed());
        assertFalse(new CqWriter(slab, address(RECEIVE_CQ), RECEIVER, () -> { }, false)
                .hasClaims(ProcessId.number(DEAD)), "the CQ is free of it, too");
    }

    private void assertRefused(String part, Slab seen, int at) {
        String message = assertThrows(VerbsException.class,
                () -> new DatagramTarget(new OneSlab(seen), address(at), () -> { })).getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void whatIsNoDatagramQpIsRefused() {
        make();
        target();
        int end = RECEIVER_QP + QpContext.RINGS + RECEIVES * STRIDE;
        assertRefused("no datagram QP", slab, SENDER_QP);
        assertRefused("no datagram QP", slab, SEND_CQ);
        assertRefused("no datagram QP", Slab.wrap(memory.slice(0, end - 1), 0), RECEIVER_QP);
        assertRefused("completion queue", Slab.wrap(memory.slice(0, end), 0), RECEIVER_QP); // which lies behind
        DatagramContext.write(memory, RECEIVED + 64, QKEY);
        QpContext.write(memory, RECEIVED + 64, RECEIVER, PD, RECEIVES, STRIDE, address(RECEIVE_CQ));
        assertRefused("aligned", slab, RECEIVED + 64);
    }

    @Test
    void aQpIsLookedUpOnceUntilItEnds() {
        make();
        DatagramTargets targets = new DatagramTargets();
        DatagramRoute other = routes.open(PD, "d-1-b", space, () -> null);
        DatagramTarget found = targets.find(route, RECEIVER);
        table.remove(RECEIVER);
        assertSame(found, targets.find(route, RECEIVER));
        assertNull(targets.find(other, RECEIVER), "another handle's are looked up");
        table.add(RECEIVER, address(RECEIVER_QP));
        assertNotSame(found, targets.find(other, RECEIVER));
        assertSame(found, targets.find(route, RECEIVER));
        state(RECEIVER_QP, QueuePairState.ERR);
        assertNull(targets.find(route, RECEIVER), "it takes no more messages");
        state(RECEIVER_QP, QueuePairState.RTS);
        table.add(RECEIVER + 1, address(RECEIVER_QP));
        assertNull(targets.find(route, RECEIVER + 1), "what is there is another's");
    }

    @Test
    void qpsWhoseNumbersEndAlikeAreToldApart() {
        make();
        DatagramTargets targets = new DatagramTargets();
        DatagramTarget[] found = new DatagramTarget[6];
        for (int i = 0; i < found.length; i++) {
            int number = 4096 * (i + 1) + 16 * i; // the first is looked for at the table's end
            QpContext.write(memory, RECEIVER_QP, number, PD, RECEIVES, STRIDE, address(RECEIVE_CQ));
            table.add(number, address(RECEIVER_QP));
            found[i] = targets.find(route, number);
            for (int j = 0; j <= i; j++) {
                assertSame(found[j], targets.find(route, 4096 * (j + 1) + 16 * j), "i=" + i + " j=" + j);
            }
        }
    }

    @Test
    void whatLiesBehindTheTableIsNoEntry() {
        memory.putInt(START, RECEIVER);
        assertEquals(0, table.find(RECEIVER));
        table.remove(RECEIVER);
        assertEquals(RECEIVER, memory.getInt(START));
    }

    @Test
    void aHandleThatIsClosedLetsGoOfTheDevicesMemory() {
        assertEquals(0, closed);
        route.close();
        assertEquals(1, closed);
    }

    @Test
    void thousandsOfQpsAreKnownAndVeryManyAreForgotten() {
        make();
        table.remove(RECEIVER);
        DatagramTargets targets = new DatagramTargets();
        DatagramTarget[] found = new DatagramTarget[2049];
        for (int i = 0; i < 2049; i++) {
            int number = 7 * i + 1;
            QpContext.write(memory, RECEIVER_QP, number, PD, RECEIVES, STRIDE, address(RECEIVE_CQ));
            table.add(number, address(RECEIVER_QP));
            found[i] = targets.find(route, number);
            assertEquals(number, found[i].qpn());
            table.remove(number);
            for (int j = i; j >= 0 && i < 2048; j -= 1 + i / 8) {
                assertSame(found[j], targets.find(route, 7 * j + 1), "i=" + i + " j=" + j);
            }
        }
        assertSame(found[2048], targets.find(route, 7 * 2048 + 1), "the last is known");
        assertNull(targets.find(route, 1), "the others are looked up again");
    }
}
