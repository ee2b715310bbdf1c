package org.jvrpc.ibverbs.rxe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.core.LkeyTable;

/**
 * The producer's side of a send ring. A place is given back when its completion, or that of a later send, is polled, as
 * verbs say, and not as soon as the kernel is done with it. Posted to by one thread, completed by one.
 *
 * <p>A send that will fail is held back, with all behind it, until the kernel is done with those before, whose
 * acknowledgements Linux 6.1 would drop. Nobody waits for that: who posts or polls next goes on with it.
 */
final class RxeSendQueue {

    /** After so long the kernel is told all the same: the peer may be dead. */
    private static final long HOLD_NS = 1_000_000_000L;
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
    private final long holdNs;
    private int head;
    private int published;
    private int tail; // written by who polls, read with acquire by who posts
    /** True while the kernel is not told of all. Then the two fields below, and the doorbell, are under this lock. */
    private volatile boolean held;
    private int accepted;
    private long heldSinceNs;

    RxeSendQueue(RxeQueue ring, int id, int depth, RxeDoorbell doorbell) {
        this(ring, id, depth, doorbell, HOLD_NS);
    }

    /** @param holdNs how long sends are held back at most */
    RxeSendQueue(RxeQueue ring, int id, int depth, RxeDoorbell doorbell, long holdNs) {
        this.holdNs = holdNs;
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
        if (held && isHeldFurther()) {
            return true;
        }
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
     * Publishes what was written, and holds back what will be until the kernel is done with that. The poster's thread.
     *
     * @return true when {@link #goOn} is needed
     */
    boolean hold() {
        if (held) {
            return true;
        }
        if (head != published) {
            ring();
        }
        if (isSettled()) {
            return false;
        }
        accepted = head;
        heldSinceNs = System.nanoTime();
        held = true;
        return true;
    }

    private boolean isSettled() {
        return (ring.consumer() - published & ring.mask()) == 0;
    }

    /** Adds what was written since to what is held back; false when nothing is any more. */
    private synchronized boolean isHeldFurther() {
        if (held) {
            accepted = head;
            goOn();
            return true;
        }
        return false;
    }

    /** Tells the kernel of what is held back, if it is time. Any thread. @return true when nothing is held back */
    synchronized boolean goOn() {
        if (held && (isSettled() || System.nanoTime() - heldSinceNs >= holdNs)) {
            ring.produce(accepted);
            doorbell.ring(); // refused of a QP that is gone only, which has no sends any more
            published = accepted;
            held = false;
        }
        return !held;
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
    synchronized void rollBack() {
        head = held ? accepted : published;
    }

    /** Returns the user's id of the WQE with a sequence number. */
    long wrId(int sequence) {
        return wrIds[sequence & ring.mask()];
    }

    /** Returns true when the SGEs of the WQE with a sequence number, which is not taken back, are known memory. */
    boolean mayTouch(int sequence, LkeyTable keys) {
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
