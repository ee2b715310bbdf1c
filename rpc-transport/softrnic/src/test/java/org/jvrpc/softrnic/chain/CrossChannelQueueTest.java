package org.jvrpc.softrnic.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/** What one send queue of a group executes, refuses and waits for, and what it makes of its context. */
final class CrossChannelQueueTest extends ChainFixture {

    private static final long SIGNALLED = (long) Wqe.CE_ALWAYS << 32;

    @Test
    void whatIsPostedInErrorIsFlushedWholeWqesAtATime() {
        Queue queue = plain();
        queue.load(0, Wqe.NOP, 1, 0);
        queue.load(1, Wqe.NOP, 9, 0); // three blocks
        queue.load(4, Wqe.NOP, 5, 0); // of whose two blocks one was rung for
        queue.state(QueuePairState.ERR);
        queue.runTo(5);
        assertEquals(5, queue.executed());
        assertEquals(List.of(), executed());
        for (int index : new int[] {0, 1, 4}) {
            queue.expect(index, WcStatus.WR_FLUSH_ERR);
        }
        queue.expectNothingMore();
        assertFalse(group.isHeld());
    }

    @ParameterizedTest
    @ValueSource(strings = {"no segment", "longer than allowed", "another index", "another QP"})
    void aWqeThatCannotBeRightFailsItsQueue(String what) {
        Queue queue = plain();
        switch (what) {
            case "no segment" -> queue.load(0, Wqe.NOP, 0, 0);
            case "longer than allowed" -> queue.load(0, Wqe.NOP, 9, 0);
            case "another index" -> queue.raw(0, queue.control(Wqe.NOP, 1, 1), 0);
            default -> queue.raw(0, queue.control(Wqe.NOP, 0, 1) + 256, 0);
        }
        queue.nops(1, 3);
        queue.runTo(2);
        queue.expect(0, WcStatus.LOC_QP_OP_ERR);
        assertEquals(QueuePairState.ERR, queue.state());
        assertEquals(2, queue.executed(), "the other one was flushed, or belonged to it");
        if (!what.equals("longer than allowed")) {
            queue.expect(1, WcStatus.WR_FLUSH_ERR);
        }
        queue.expectNothingMore();
    }

    @Test
    void anUncheckedQueueLooksAtNeitherIndexNorNumber() {
        Queue queue = member(0);
        queue.raw(0, queue.control(Wqe.NOP, 77, 1) + 256, SIGNALLED);
        queue.runTo(1);
        queue.expect(0, WcStatus.SUCCESS);
    }

    @Test
    void aCompletionHasTheIndexAndTheBytesOfItsWqe() {
        Queue queue = plain().connectToItself();
        queue.write(0, 0, 64);
        queue.load(1, Wqe.RDMA_WRITE, 4, SIGNALLED, address(DATA + 64), (long) KEY << 32, 8L << 32 | KEY,
                address(DATA), 4L << 32 | KEY, address(DATA));
        queue.load(2, Wqe.NOP, 1, SIGNALLED);
        queue.runTo(3);
        int at = queue.expect(1, WcStatus.SUCCESS);
        assertEquals(12, BigEndian.getInt(memory, at + Cqe.BYTE_COUNT));
        assertEquals(Wqe.RDMA_WRITE, Cqe.sendOpcode(BigEndian.getLong(memory, at + Cqe.TAIL)));
        at = queue.expect(2, WcStatus.SUCCESS);
        assertEquals(0, BigEndian.getInt(memory, at + Cqe.BYTE_COUNT), "a NOP moves nothing");
        queue.expectNothingMore();
    }

    @Test
    void aWaitLooksAtTwentyFourBitsAndNeedsItsSegmentAndACq() {
        Queue cq = make(0).join();
        int[] produced = {5, 6, 1 << 24, (1 << 24) + 5, 5};
        int[] indices = {5, 5, 0xffffff, 0xffffff, 0xffffff};
        for (int i = 0; i < produced.length; i++) {
            CqContext.produced(memory, cq.cq, produced[i]);
            Queue queue = plain();
            queue.wait(0, 10 * cq.qpn, indices[i]);
            queue.runTo(1);
            assertEquals(i == 0 ? 0 : 1, queue.executed(), "produced=" + produced[i] + " index=" + indices[i]);
        }
        Queue longer = plain();
        longer.load(0, Wqe.WAIT, 3, 0, 0, 10 * cq.qpn);
        longer.runTo(1);
        longer.expect(0, WcStatus.LOC_QP_OP_ERR);
        Queue lost = plain();
        lost.wait(0, 9999, 0);
        lost.runTo(1);
        lost.expect(0, WcStatus.LOC_QP_OP_ERR);
    }

    private WcStatus enable(int opcode, Queue target, int index) {
        Queue queue = plain();
        queue.enable(0, opcode, target.qpn, index);
        queue.runTo(1);
        WcStatus status = queue.state() == QueuePairState.RTS ? WcStatus.SUCCESS : WcStatus.LOC_QP_OP_ERR;
        assertEquals(1, queue.executed());
        GroupContext.removeQueue(memory, GROUP, address(queue.context));
        GroupContext.removeCq(memory, GROUP, address(queue.cq));
        return status;
    }

    @Test
    void anEnableOfAManagedQueueOnlyRaisesItsLimit() {
        Queue worker = managed();
        worker.nops(0, BLOCKS);
        assertEquals(WcStatus.SUCCESS, enable(Wqe.SEND_ENABLE, worker, 2));
        assertEquals(2, worker.executed());
        assertEquals(WcStatus.SUCCESS, enable(Wqe.SEND_ENABLE, worker, 2));
        assertEquals(WcStatus.SUCCESS, enable(Wqe.SEND_ENABLE, worker, 1));
        assertEquals(2, worker.executed());
        assertEquals(2, QueueContext.limit(memory, worker.context));
        assertEquals(WcStatus.SUCCESS, enable(Wqe.SEND_ENABLE, worker, 0x10003), "16 bits count");
        assertEquals(3, worker.executed());
    }

    @Test
    void anEnableOfAQueueThatIsNotManagedFailsAndChangesNothing() {
        Queue other = plain();
        other.nops(0, 2);
        assertEquals(WcStatus.LOC_QP_OP_ERR, enable(Wqe.SEND_ENABLE, other, 1));
        assertEquals(0, other.executed());
        assertEquals(WcStatus.LOC_QP_OP_ERR, enable(Wqe.RECV_ENABLE, other, 1));
        assertEquals(0, other.postedReceives(), "a receive that nobody posted");
        Queue nobody = make(QueueContext.MANAGED);
        assertEquals(WcStatus.LOC_QP_OP_ERR, enable(Wqe.SEND_ENABLE, nobody, 1), "of no member");
    }

    @Test
    void anEnableOfManagedReceivesOnlyRaisesTheirCounter() {
        Queue worker = member(QueueContext.MANAGED_RECEIVE);
        int[] indices = {3, 3, 2, 5, 0x8004, 2};
        int[] counters = {3, 3, 3, 5, 0x8004, 2}; // the last come round
        for (int i = 0; i < indices.length; i++) {
            assertEquals(WcStatus.SUCCESS, enable(Wqe.RECV_ENABLE, worker, indices[i]));
            assertEquals(counters[i], worker.postedReceives(), "after index=" + indices[i]);
        }
    }

    @Test
    void aQueueFetchesEightBlocksAheadAndThoseOfTheNextWqeInAnyCase() {
        data(0, 7);
        Queue queue = plain().connectToItself();
        queue.nops(0, 6);
        // Of its two blocks one is among the eight; its last piece lies in the second.
        queue.load(7, Wqe.RDMA_WRITE, 5, 0, address(DATA + 64), (long) KEY << 32, 8L << 32 | KEY, address(DATA),
                8L << 32 | KEY, address(DATA), 8L << 32 | KEY, address(DATA));
        queue.wait(6, 10 * queue.qpn, 0);
        queue.write(9, 0, 128);
        queue.runTo(10);
        assertEquals(6, queue.executed(), "it waits");
        queue.write(7, 0, 256); // too late
        queue.write(9, 0, 264);
        CqContext.produced(memory, queue.cq, 1);
        run();
        assertEquals(List.of(7L, 7L, 7L), List.of(data(64), data(72), data(80)));
        assertEquals(0, data(256), "was fetched before");
        assertEquals(0, data(128), "was fetched early");
        assertEquals(7, data(264));
    }

    @Test
    void aRingThatIsFetchedGoesRound() {
        Queue queue = plain().connectToItself();
        for (int block = 0; block < 5 * BLOCKS; block += 2) {
            data(0, block);
            queue.load(block, Wqe.RDMA_WRITE, 5, 0, address(DATA + 64), (long) KEY << 32, 8L << 32 | KEY,
                    address(DATA), 8L << 32 | KEY, address(DATA), 8L << 32 | KEY, address(DATA));
            queue.runTo(block + 2);
            assertEquals(block + 2, queue.executed());
            assertEquals(block, data(80), "the last piece");
        }
        assertEquals(5 * BLOCKS, QueueContext.fetched(memory, queue.context));
    }

    @Test
    void aPeerThatIsNotReadyHoldsTheQueueAndRetriesCountForEachMessage() {
        Queue peer = make(0);
        Queue queue = plain().connect(DEVICE, peer.qp);
        for (int i = 0; i < 3; i++) {
            queue.load(i, Wqe.SEND, 2, 0, 8L << 32 | KEY, address(DATA));
        }
        peer.receive(0, 64);
        data(0, 7);
        queue.runTo(3);
        assertEquals(List.of("2:0"), executed(), "announced, but not done");
        assertTrue(group.isHeld());
        peer.posted(1);
        run();
        assertEquals(7, data(64));
        assertEquals(1, queue.executed());
        assertEquals(QueuePairState.RTS, queue.state(), "two tries of the second message are allowed");
        plain(); // the group's members change, its queues stay
        run();
        assertEquals(QueuePairState.ERR, queue.state());
        queue.expect(1, WcStatus.RNR_RETRY_EXC_ERR);
        assertFalse(group.isHeld());
    }

    @Test
    void receivesAreConsumedByWhoeverRunsTheQueue() {
        Queue queue = plain().connectToItself();
        for (int i = 0; i < 3; i++) {
            queue.load(i, Wqe.SEND, 2, 0, 8L << 32 | KEY, address(DATA));
            queue.receive(i, 64 + 8 * i);
        }
        queue.posted(3);
        ChainGroup other = groupOfAnotherProcess();
        ChainGroup[] turns = {group, other, group};
        for (int i = 0; i < 3; i++) {
            data(0, 100 + i);
            queue.limit(i + 1);
            turns[i].resume();
            assertEquals(100 + i, data(64 + 8 * i));
        }
    }

    @Test
    void noVerbReachesAPeerThatIsNotReady() {
        Queue peer = make(0);
        QpContext.advance(memory, peer.qp, QueuePairState.RTS, QueuePairState.INIT);
        Queue queue = plain().connect(DEVICE, peer.qp);
        data(0, 7);
        queue.write(0, 0, 64);
        queue.runTo(1);
        assertEquals(0, data(64));
        assertTrue(group.isHeld(), "it may become ready");
        QpContext.advance(memory, peer.qp, QueuePairState.INIT, QueuePairState.RTR);
        run();
        assertEquals(7, data(64));
        assertFalse(group.isHeld());
    }

    /** Devices have much at the same addresses. */
    @Test
    void aPeerOfAnotherDeviceAtTheSameAddressIsAnother() {
        Queue queue = plain();
        queue.connect("there", queue.qp);
        ByteBuffer copy = ByteBuffer.allocateDirect(memory.capacity() + 128).alignedSlice(128)
                .slice(0, memory.capacity());
        copy.put(0, memory, 0, memory.capacity());
        Slab there = Slab.wrap(copy, 0);
        QpContext.advance(there.window(there.base()), queue.qp, QueuePairState.RTS, QueuePairState.INIT);
        spaces.put("there", new Space(there));
        data(0, 7);
        queue.write(0, 0, 64);
        queue.runTo(1);
        assertEquals(0, there.window(there.base()).getLong(DATA + 64), "it is not ready");
        assertTrue(group.isHeld());
        assertEquals(0, data(64));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMessageToAQueuePairOfAnotherGroupRunsThatGroup(boolean known) {
        int other = GROUP + 1024;
        GroupContext.write(memory, other, PD);
        Queue peer = make(known ? 0 : QueueContext.CHECKED);
        QpContext.join(memory, peer.qp, known ? address(GROUP) : address(other));
        assertTrue(GroupContext.addQueue(memory, known ? GROUP : other, address(peer.context)));
        assertTrue(GroupContext.addCq(memory, known ? GROUP : other, address(peer.cq)));
        peer.wait(0, 10 * peer.qpn, 0);
        peer.limit(1);
        peer.receive(0, 64);
        peer.posted(1);
        Queue queue = plain().connect(DEVICE, peer.qp);
        queue.load(0, Wqe.SEND, 2, 0, 8L << 32 | KEY, address(DATA));
        data(0, 7);
        queue.runTo(1);
        assertEquals(7, data(64));
        assertEquals(1, peer.executed(), "it waited for the message");
        assertEquals(known ? 0 : 1, GroupContext.executed(memory, other));
        assertEquals(0, GroupContext.claim(memory, other, 1), "the claim was not given back");
    }

    @ParameterizedTest
    @ValueSource(strings = {DEVICE, "there"})
    void whoeverSleepsInThisProcessIsWoken(String device) {
        spaces.put("there", space);
        Queue peer = make(0);
        QpContext.join(memory, peer.qp, 0);
        Cqe.initialize(memory, peer.cq + CqContext.RING, CQES, Cqe.BYTES);
        CqContext.write(memory, peer.cq, 10 * peer.qpn, CQES, Cqe.BYTES, false, false);
        CqContext.arm(memory, peer.cq);
        QpContext.write(memory, peer.qp, peer.qpn, PD, 4, 64, address(peer.cq));
        peer.receive(0, 64);
        peer.posted(1);
        Queue queue = plain().connect(device, peer.qp);
        queue.load(0, Wqe.SEND, 2, 0, 8L << 32 | KEY, address(DATA));
        queue.runTo(1);
        assertEquals(device.equals(DEVICE) ? List.of(DEVICE) : List.of(), woken);
        assertFalse(CqContext.isArmed(memory, peer.cq));
        assertEquals(1, queue.executed());
    }

    @Test
    void aQueueWithoutAPeerOrWithAPeerOfNoDeviceFails() {
        Queue alone = plain();
        alone.write(0, 0, 64);
        alone.runTo(1);
        alone.expect(0, WcStatus.RETRY_EXC_ERR);
        Queue lost = plain().connect("nowhere", DATA);
        lost.write(0, 0, 64);
        lost.runTo(1);
        lost.expect(0, WcStatus.RETRY_EXC_ERR);
    }

    private void refuses(String what, Queue queue, int context) {
        assertTrue(GroupContext.addQueue(memory, GROUP, address(context)));
        String message = assertThrows(VerbsException.class, this::run).getMessage();
        assertTrue(message.contains(what), message);
        assertEquals(QueuePairState.RTS, queue.state());
        GroupContext.removeQueue(memory, GROUP, address(context));
    }

    @Test
    void aContextThatMakesNoSenseIsRefused() {
        Queue queue = make(0);
        refuses("queue is not aligned", queue, queue.context + 8);
        refuses("no queue at address=0x", queue, DATA);
        int end = memory.capacity();
        write(queue, 0, BLOCKS, address(end - 8 * Wqe.BLOCK), address(queue.qp));
        refuses("peer's send ring cannot be reached", queue, queue.context);
        write(queue, 0, BLOCKS, address(queue.ring()), address(queue.qp) + 8);
        refuses("queue pair is not aligned", queue, queue.context);
        write(queue, 0, BLOCKS, address(queue.ring()), address(end));
        refuses("peer's queue pair cannot be reached", queue, queue.context);
        for (int blocks : new int[] {0, 3, -1, Integer.MIN_VALUE, 1 << 17}) {
            write(queue, 0, blocks, address(queue.ring()), address(queue.qp));
            refuses("no queue at address=0x", queue, queue.context);
        }
        assertTrue(QueueContext.isSane(memory, queue.context, 1 << 16), "as many as 16 bits tell apart");
        assertTrue(GroupContext.addCq(memory, GROUP, address(queue.cq) + 8));
        assertTrue(assertThrows(VerbsException.class, this::run).getMessage().contains("completion queue is not"));
    }

    private void write(Queue queue, int flags, int blocks, long ring, long qp) {
        QueueContext.write(memory, queue.context, queue.qpn, flags, blocks, ring, qp, address(queue.cq), 0);
    }

    /** One that fetches ahead has its copy of the ring behind the context. */
    @Test
    void aContextAtTheEndOfMemoryIsOneOfAQueueThatDoesNotFetch() {
        Queue queue = make(0);
        queue.nops(0, 1);
        int last = memory.capacity() - 256;
        for (int flags : new int[] {0, QueueContext.MANAGED | QueueContext.PREFETCHING, QueueContext.PREFETCHING}) {
            QueueContext.write(memory, last, queue.qpn, flags, BLOCKS, address(queue.ring()), address(queue.qp),
                    address(queue.cq), 0);
            refuses("peer's copy of the send ring cannot be reached", queue, last);
        }
        QueueContext.write(memory, last, queue.qpn, QueueContext.MANAGED, BLOCKS, address(queue.ring()),
                address(queue.qp), address(queue.cq), 0);
        QueueContext.limit(memory, last, 1);
        assertTrue(GroupContext.addQueue(memory, GROUP, address(last)));
        run();
        assertEquals(List.of("1:0"), executed());
    }

    /** The QP and its rings at the start of a slab that is larger than the context's, or at its end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aContextAndItsRingMayLieInSlabsOfAnySize(boolean managed) {
        int bytes = 2 * memory.capacity();
        Slab other = Slab.wrap(ByteBuffer.allocateDirect(bytes + 128).alignedSlice(128).slice(0, bytes), 1);
        space.slabs.add(other);
        for (int qp : new int[] {0, bytes - 2048}) {
            Queue queue = plain();
            ByteBuffer far = other.window(other.base());
            QpContext.write(far, qp, queue.qpn, PD, 1, 16, address(queue.cq));
            QpContext.advance(far, qp, QueuePairState.RESET, QueuePairState.RTS);
            long ring = other.base() + qp + 1024;
            write(queue, managed ? QueueContext.MANAGED : 0, BLOCKS, ring, other.base() + qp);
            for (int block = 0; block < BLOCKS; block++) {
                BigEndian.putLong(far, qp + 1024 + 64 * block, queue.control(Wqe.NOP, block, 1));
                BigEndian.putLong(far, qp + 1024 + 64 * block + 8, SIGNALLED);
            }
            queue.runTo(2);
            queue.expect(0, WcStatus.SUCCESS);
            queue.expect(1, WcStatus.SUCCESS);
        }
    }

    @Test
    void theNameOfAPeersDeviceFitsOrIsRefused() {
        Queue queue = make(0);
        String longest = "d".repeat(QueueContext.MAX_NAME);
        queue.connect(longest, queue.qp);
        assertEquals(longest, QueueContext.peerDevice(memory, queue.context));
        String message = assertThrows(VerbsException.class, () -> queue.connect(longest + "e", 0)).getMessage();
        assertTrue(message.contains("too long: " + longest + "e"), message);
        assertEquals(address(queue.qp), QueueContext.peer(memory, queue.context), "changed all the same");
    }
}
