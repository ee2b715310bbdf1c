package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/**
 * An SRQ over rxe's ring. The kernel copies a WQE when a message takes it, so a place of the ring is free long before
 * its completion is polled: users' ids lie in slots, which completions give back. One thread at a time posts; polls of
 * all its QPs' CQs complete, on their threads.
 */
final class RxeSharedReceiveQueue implements SharedReceiveQueue {

    private final RxeDriver driver;
    private final RdmaDomain domain;
    private final SharedReceiveQueueAttributes attributes;
    private final int id;
    private final RxeCommands.Srq srq;
    private final RxeQueue ring;
    private final RxeSlots slots;
    private int head;
    private int users;
    private volatile boolean closed;

    RxeSharedReceiveQueue(RxeDriver driver, RdmaDomain domain, SharedReceiveQueueAttributes attributes,
            int id, RxeCommands.Srq srq) {
        this.driver = driver;
        this.domain = domain;
        this.attributes = attributes;
        this.id = id;
        this.srq = srq;
        this.ring = new RxeQueue(driver.map(srq.ring(), "create_srq"));
        this.slots = new RxeSlots(Math.min(RxeQueuePair.roundUp(attributes.maxWr()), ring.mask()));
    }

    @Override
    public int number() {
        return srq.number();
    }

    /** Returns what names it in the tags of its WQEs. */
    int id() {
        return id;
    }

    int handle() {
        return srq.handle();
    }

    @Override
    public int depth() {
        return slots.count();
    }

    @Override
    public PostReceive prepareReceive(ReceiveRequest... requests) {
        return new RxePostSharedReceive(this, requests, attributes.maxSge());
    }

    /** Writes a WQE behind the head of the ring; false when the queue is full. {@link #publish} moves the head. */
    boolean write(int place, long wrId, long[] words, int from, int count, long length) {
        int slot = slots.take(wrId);
        if (slot < 0) {
            return false;
        }
        RxeReceiveWqe.write(
                ring.memory(), ring.at(head + place), RxeTag.ofShared(id, slot), words, from, count, length);
        return true;
    }

    /** Gives so many WQEs to the kernel. */
    void publish(int count) {
        head += count;
        ring.produce(head);
    }

    /** Takes the receive of a slot back and returns the user's id. Any thread. */
    long complete(int slot) {
        return slots.give(slot);
    }

    boolean isClosed() {
        return closed;
    }

    boolean isOf(RxeDriver other) {
        return driver == other;
    }

    /** Lets a QP take receives from here. @throws VerbsException when the SRQ is closed */
    synchronized void attach() {
        if (closed) {
            throw new VerbsException("create_qp", "shared receive queue is closed, number=" + number());
        }
        users++;
    }

    /** Ends what {@link #attach} began. */
    synchronized void detach() {
        users--;
    }

    /** Refuses posts from now on; the device was closed. */
    void shut() {
        closed = true;
    }

    @Override
    public synchronized void close() {
        if (users > 0 && !driver.isClosed()) {
            throw new VerbsException("destroy_srq", "number=" + number() + " is used by queue pairs=" + users);
        }
        closed = true;
        if (driver.forget(this)) {
            driver.destroy(UverbsLayouts.DESTROY_SRQ, srq.handle());
            Mapping.drop(ring.memory());
            domain.abandon();
        }
    }
}
