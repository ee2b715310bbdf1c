package org.jvrpc.ibverbs.rxe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.core.LkeyTable;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;

/** What the driver writes into rings that the test reads as the kernel would; no device. */
final class RxeWqeTest {

    private static final int ID = 5;
    private static final int SHIFT = 9;
    private static final Sge A = new Sge(0x1111_2222_3333L, 16, 0x77);
    private static final Sge B = new Sge(0x4444_5555_6666L, 8, 0x88);

    private final ByteBuffer ring = ring(8);
    private final RxeSendQueue queue = new RxeSendQueue(new RxeQueue(ring), ID, 4, () -> true);

    private static ByteBuffer ring(int elements) {
        return ByteBuffer.allocateDirect(RxeQueue.BYTES + (elements << SHIFT) + 64).alignedSlice(64)
                .order(ByteOrder.nativeOrder())
                .putInt(RxeQueue.LOG2_ELEM_SIZE, SHIFT).putInt(RxeQueue.INDEX_MASK, elements - 1);
    }

    private PostSend prepare(SendRequest... requests) {
        return new RxePostSend(MemoryQueue.qp(queue, 64), queue, new LkeyTable(), requests);
    }

    private int producer() {
        return ring.getInt(RxeQueue.PRODUCER_INDEX);
    }

    private static int at(int index) {
        return RxeQueue.BYTES + (index << SHIFT);
    }

    @Test
    void aSendIsWrittenWholeOverWhateverTheKernelLeft() {
        for (int i = RxeQueue.BYTES; i < ring.capacity(); i++) {
            ring.put(i, (byte) 0xee);
        }
        assertEquals(1, prepare(SendRequest.sendWithImmediate(9, 0x01020304, A, B).signalled().fenced()).execute());
        int at = at(0);
        assertEquals(1, producer());
        assertEquals(RxeTag.ofSend(ID, 0), ring.getLong(at + RxeSendWqe.WR_ID));
        assertEquals(Ibv.WR_SEND_WITH_IMM, ring.getInt(at + RxeSendWqe.OPCODE));
        assertEquals(Ibv.SEND_SIGNALED | Ibv.SEND_FENCE, ring.getInt(at + RxeSendWqe.SEND_FLAGS));
        assertEquals(1, ring.get(at + RxeSendWqe.IMM_DATA), "immediate data is big-endian");
        assertEquals(0, ring.getLong(at + RxeSendWqe.STATUS), "status and state");
        assertEquals(0, ring.getInt(at + RxeSendWqe.HAS_RD_ATOMIC));
        assertEquals(24, ring.getInt(at + RxeSendWqe.DMA_LENGTH));
        assertEquals(24, ring.getInt(at + RxeSendWqe.DMA_RESID));
        assertEquals(0, ring.getInt(at + RxeSendWqe.DMA_CUR_SGE));
        assertEquals(2, ring.getInt(at + RxeSendWqe.DMA_NUM_SGE));
        assertEquals(0, ring.getInt(at + RxeSendWqe.DMA_SGE_OFFSET));
        assertEquals(B.address(), ring.getLong(at + RxeSendWqe.DATA + 16));
        assertEquals(B.length(), ring.getInt(at + RxeSendWqe.DATA + 24));
        assertEquals(B.lkey(), ring.getInt(at + RxeSendWqe.DATA + 28));
    }

    @Test
    void oneSidedRequestsSayWhereTheyGo() {
        assertEquals(3, prepare(
                SendRequest.write(1, 0x123456789abcL, 0xf00d, A),
                SendRequest.compareAndSwap(2, 0x1000, 0xbeef, 7, 8, B),
                SendRequest.fetchAndAdd(3, 0x2000, 0xcafe, -1, B)).execute());
        assertEquals(0x123456789abcL, ring.getLong(at(0) + RxeSendWqe.REMOTE_ADDR));
        assertEquals(0x123456789abcL, ring.getLong(at(0) + RxeSendWqe.IOVA));
        assertEquals(0xf00d, ring.getInt(at(0) + RxeSendWqe.RKEY));
        assertEquals(0x1000, ring.getLong(at(1) + RxeSendWqe.IOVA));
        assertEquals(7, ring.getLong(at(1) + RxeSendWqe.COMPARE_ADD));
        assertEquals(8, ring.getLong(at(1) + RxeSendWqe.SWAP));
        assertEquals(0xbeef, ring.getInt(at(1) + RxeSendWqe.ATOMIC_RKEY));
        assertEquals(-1, ring.getLong(at(2) + RxeSendWqe.COMPARE_ADD), "what is added stands where C has it");
        assertEquals(0xcafe, ring.getInt(at(2) + RxeSendWqe.ATOMIC_RKEY));
        assertEquals(3, producer());
    }

    @Test
    void placesComeBackWithCompletionsAndTheRingGoesRound() {
        PostSend send = prepare(SendRequest.send(0, A));
        int posted = 0;
        for (int lap = 0; lap < 20; lap++) {
            while (send.wrId(0, posted).execute() == 1) {
                posted++;
            }
            assertEquals(4 + 3 * lap, posted, "the depth is 4, whatever the ring holds");
            assertEquals(posted & 7, producer());
            assertEquals(posted - 4, queue.wrId(posted - 4));
            queue.complete(posted - 2);
        }
    }

    @Test
    void aListThatDoesNotFitIsPostedInPartAndOneThatIsWrongNotAtAll() {
        assertEquals(4, prepare(SendRequest.send(1, A), SendRequest.send(2, A), SendRequest.send(3, A),
                SendRequest.send(4, A)).execute());
        queue.complete(1);
        assertEquals(2, prepare(SendRequest.send(5, A), SendRequest.send(6, A), SendRequest.send(7, A)).execute());
        queue.complete(5);
        PostSend wrong = prepare(SendRequest.send(8, A), SendRequest.send(9, A).inline());
        assertThrows(VerbsException.class, wrong::execute, "inline data of no region");
        assertEquals(6, producer());
        assertEquals(1, prepare(SendRequest.send(10, A)).execute());
        assertEquals(7, producer());
        assertEquals(10, queue.wrId(6));
    }

    @Test
    void tagsTellWhoseAndWhich() {
        long receive = RxeTag.ofReceive(0x3fffffff, -1);
        assertTrue(RxeTag.isReceive(receive) && !RxeTag.isShared(receive));
        assertEquals(0x3fffffff, RxeTag.id(receive));
        assertEquals(-1, RxeTag.sequence(receive));
        long shared = RxeTag.ofShared(3, 17);
        assertTrue(RxeTag.isReceive(shared) && RxeTag.isShared(shared));
        assertEquals(3, RxeTag.id(shared));
        assertEquals(17, RxeTag.sequence(shared));
        assertFalse(RxeTag.isReceive(RxeTag.ofSend(7, 1)));
    }

    @Test
    void slotsAreTakenUntilNoneIsLeftAndComeBackInAnyOrder() {
        for (int count : new int[] {1, 2, 3, 7, 8}) {
            RxeSlots slots = new RxeSlots(count);
            for (int lap = 0; lap < 100; lap++) {
                int[] taken = new int[count];
                for (int i = 0; i < count; i++) {
                    taken[i] = slots.take(1000L * lap + i);
                    assertTrue(taken[i] >= 0, "count=" + count);
                }
                assertEquals(-1, slots.take(5));
                for (int i = count - 1; i >= 0; i--) {
                    assertEquals(1000L * lap + i, slots.give(taken[i]));
                }
            }
        }
    }
}
