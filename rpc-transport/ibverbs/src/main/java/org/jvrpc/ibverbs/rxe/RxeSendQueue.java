package org.jvrpc.ibverbs.rxe;

import java.nio.ByteBuffer;

/**
 * The producer's side of a send ring. A place is given back when its completion, or that of a later send, is polled, as
 * verbs say, and not as soon as the kernel is done with it. Posted to by one thread, completed by one.
 */
final class RxeSendQueue {

    private final RxeQueue ring;
    private final int id;
    private final int capacity;
    private final long[] wrIds;
    private final RxeDoorbell doorbell;
    private int head;
    private int published;
    /** Written by who polls; stale reads only make the queue look fuller than it is. */
    private volatile int tail;

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
        return head - tail < capacity;
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
        head = published;
        return false;
    }

    /** Returns the user's id of the WQE with a sequence number. */
    long wrId(int sequence) {
        return wrIds[sequence & ring.mask()];
    }

    /** Takes back everything up to and with a sequence number. */
    void complete(int sequence) {
        tail = sequence + 1;
    }
}
