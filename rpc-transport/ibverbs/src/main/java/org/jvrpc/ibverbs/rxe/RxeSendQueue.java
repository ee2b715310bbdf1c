package org.jvrpc.ibverbs.rxe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.core.LocalKeys;

/**
 * The producer's side of a send ring. A place is given back when its completion, or that of a later send, is polled, as
 * verbs say, and not as soon as the kernel is done with it. Posted to by one thread, completed by one.
 */
final class RxeSendQueue {

    private static final long SETTLE_NS = 1_000_000_000L;
    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(RxeSendQueue.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RxeQueue ring;
    private final int id;
    private final int capacity;
    private final long[] wrIds;
    private final RxeDoorbell doorbell;
    private int head;
    private int published;
    private int tail; // written by who polls, read with acquire by who posts

    RxeSendQueue(RxeQueue ring, int id, int depth, RxeDoorbell doorbell) {
        this.ring = ring;
        this.id = id;
        this.capacity = Math.min(RxeQueuePair.roundUp(depth), ring.mask());
        this.wrIds = new long[ring.mask() + 1];
        this.doorbell = doorbell;
    }

    int capacity() {
        return capacity;
    }

    boolean hasRoom() {
        return head - (int) TAIL.getAcquire(this) < capacity;
    }

    ByteBuffer memory() {
        return ring.memory();
    }

    /** Begins a WQE at the head of the ring, which has room; its data is written at the offset that is returned. */
    int write(long wrId, long[] words, int from, int remote) {
        int at = ring.at(head);
        wrIds[head & ring.mask()] = wrId;
        RxeSendWqe.write(ring.memory(), at, RxeTag.ofSend(id, head), head, words, from, remote);
        head++;
        return at;
    }

    /**
     * Publishes what was written and rings the doorbell: the kernel executes sends on this thread, as far as it can.
     *
     * @return false when the kernel refused; what was written is as if it never had been
     */
    boolean ring() {
        ring.produce(head);
        if (doorbell.ring()) {
            published = head;
            return true;
        }
        rollBack();
        ring.produce(head);
        return false;
    }

    /**
     * Publishes what was written and waits until the kernel is done with all of it, for a second at most: what comes
     * next will fail, and Linux 6.1 drops the acknowledgements of the sends before it then.
     */
    void settle() {
        if (head != published) {
            ring();
        }
        long startNs = System.nanoTime();
        while ((ring.consumer() - published & ring.mask()) != 0 && System.nanoTime() - startNs < SETTLE_NS) {
            Thread.yield();
        }
    }

    /**
     * Returns the sequence number of a WQE that failed while an older one waits for its acknowledgement, or -1 as a
     * long. The thread that polls.
     */
    long stuck() {
        ByteBuffer memory = ring.memory();
        int first = ring.consumer();
        int count = ring.producer() - first & ring.mask();
        for (int i = 1; i < count; i++) {
            int at = ring.at(first + i);
            if (memory.getInt(at + RxeSendWqe.STATE) == RxeSendWqe.STATE_ERROR
                    && memory.getInt(ring.at(first) + RxeSendWqe.STATE) != RxeSendWqe.STATE_ERROR) {
                return memory.getLong(at + RxeSendWqe.WR_ID) & 0xffffffffL;
            }
        }
        return -1;
    }

    /** Forgets what was written and not published. */
    void rollBack() {
        head = published;
    }

    /** Returns the user's id of the WQE with a sequence number. */
    long wrId(int sequence) {
        return wrIds[sequence & ring.mask()];
    }

    /** Returns true when the SGEs of the WQE with a sequence number, which is not taken back, are known memory. */
    boolean mayTouch(int sequence, LocalKeys keys) {
        ByteBuffer memory = ring.memory();
        int at = ring.at(sequence);
        if ((memory.getInt(at + RxeSendWqe.SEND_FLAGS) & Ibv.SEND_INLINE) != 0) {
            return true;
        }
        return keys.mayTouch(memory, at + RxeSendWqe.DATA, memory.getInt(at + RxeSendWqe.DMA_NUM_SGE), 0);
    }

    /**
     * Returns true when what a READ or an atomic brings was not stored, although the kernel says that it succeeded.
     * Linux 6.1 acknowledges a SEND or WRITE that is repeated by the number of the last request that it did; when that
     * is an atomic, whose own answer is lost or late, the requester takes this for the answer.
     */
    boolean lacksResult(int sequence) {
        return ring.memory().getInt(ring.at(sequence) + RxeSendWqe.DMA_RESID) != 0;
    }

    /** Takes back everything up to and with a sequence number. */
    void complete(int sequence) {
        TAIL.setRelease(this, sequence + 1);
    }
}
