package org.jvrpc.mlx5;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A CQ over an mlx5 ring. One thread at a time polls. */
public final class Mlx5CompletionQueue implements CompletionQueue {

    /** The device has something to say. */
    private static final int ALERTED = 1;
    /** Receives are to be flushed, or completions of destroyed QPs to be passed over. */
    private static final int LEFT = 2;
    private static final VarHandle CHORES;

    static {
        try {
            CHORES = MethodHandles.lookup().findVarHandle(Mlx5CompletionQueue.class, "chores", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int number;
    private final ByteBuffer memory;
    private final int ring;
    private final int depth;
    private final int depthShift;
    /** Completions that there is room for; a card's ring may have more entries. */
    private final int promised;
    private final int cqeBytes;
    private final ByteBuffer records;
    private final int record;
    private final boolean payloadInPlace;
    private final boolean exclusive;
    private final CompletionQueueControl control;
    private final Queue<Mlx5QueuePair> flushing = new ConcurrentLinkedQueue<>();
    /** Those whose sends are flushed here, before what is above. */
    private final Queue<Mlx5QueuePair> flushingSends = new ConcurrentLinkedQueue<>();
    private final QueuePairTable qps = new QueuePairTable();
    private final CqeReader reader;
    private Mlx5QueuePair last;
    private final ClosedQueuePairs buried = new ClosedQueuePairs();
    /** Bits of what a poll that finds the ring empty has to look at: one load tells that there is nothing. */
    private volatile int chores;
    private volatile int users;
    private volatile boolean closed;
    /** True when a queue reported here that is gone. */
    private boolean served;
    private int consumer;
    private int published;
    private long touched;

    /** @param queue stride is {@code cqeBytes}; its CQEs are initialised */
    public Mlx5CompletionQueue(
            int number, CompletionQueueAttributes attributes, QueueMemory queue, CompletionQueueControl control) {
        this.number = number;
        this.memory = queue.memory();
        this.ring = queue.ring();
        this.depth = queue.entries();
        this.promised = Mlx5QueuePair.roundUp(attributes.depth() + (attributes.payloadInPlace() ? 1 : 0));
        this.depthShift = Integer.numberOfTrailingZeros(depth);
        this.cqeBytes = queue.stride();
        this.records = queue.records();
        this.record = queue.record();
        this.payloadInPlace = attributes.payloadInPlace();
        this.exclusive = attributes.exclusive();
        this.control = control;
        this.reader = new CqeReader(memory, ring, payloadInPlace);
    }

    @Override
    public boolean poll(WorkCompletion wc) {
        if (consumer != published && !closed) {
            publish(); // with the payload in place, what the last poll returned may be overwritten from now on only
        }
        if (pollRing(wc)) {
            return true;
        }
        if (closed) {
            return false; // the device may be gone, too
        }
        boolean alerted = control.alerted();
        return (alerted || chores != 0) && pollSlowly(wc, alerted);
    }

    @Override
    public boolean hasMore() {
        if (closed) {
            return false;
        }
        int at = ring + (consumer & depth - 1) * cqeBytes + cqeBytes - Cqe.BYTES;
        // Plain: what it says is a hint, the poll that takes the completion acquires it.
        return Cqe.valid(BigEndian.getLong(memory, at + Cqe.TAIL), consumer >>> depthShift);
    }

    private void publish() {
        published = consumer;
        // Release: read with acquire by producers that find the ring full.
        BigEndian.putIntRelease(records, record + DoorbellRecord.CONSUMER, consumer & DoorbellRecord.CONSUMER_MASK);
    }

    private boolean pollRing(WorkCompletion wc) {
        while (!closed) { // of a card, the ring goes with the CQ
            int at = ring + (consumer & depth - 1) * cqeBytes + cqeBytes - Cqe.BYTES;
            if (reader.isWide()) {
                touched = BigEndian.getLong(memory, at - Cqe.BYTES); // so that both lines come over at once
            }
            // Acquire: pairs with the store of the tail by whoever made the CQE.
            long tail = BigEndian.getLongAcquire(memory, at + Cqe.TAIL);
            if (!Cqe.valid(tail, consumer >>> depthShift)) {
                if (consumer != published) {
                    publish(); // what was passed over is room now: whoever waits next may not poll for long
                }
                return false;
            }
            consumer++;
            if (complete(wc, at, tail)) {
                if (!payloadInPlace) {
                    publish();
                }
                return true;
            }
        }
        return false;
    }

    private boolean pollSlowly(WorkCompletion wc, boolean alerted) {
        boolean told = ((int) CHORES.getAndSet(this, 0) & ALERTED) != 0; // before the looks at what they stand for
        try {
            return (alerted || told) && progress(wc)
                    || !buried.isEmpty() && pollPast(wc)
                    || !flushingSends.isEmpty() && pollFlushedSend(wc)
                    || !flushing.isEmpty() && pollFlush(wc);
        } finally {
            if (!buried.isEmpty() || !flushing.isEmpty() || !flushingSends.isEmpty()) {
                note(LEFT);
            }
        }
    }

    private boolean progress(WorkCompletion wc) {
        control.progress();
        return pollRing(wc);
    }

    private void note(int chore) {
        CHORES.getAndBitwiseOr(this, chore);
    }

    /** Once the ring is seen empty after a QP was destroyed, nothing of it will be found any more. */
    private boolean pollPast(WorkCompletion wc) {
        ClosedQueuePairs.Entry[] before = buried.entries();
        if (pollRing(wc)) {
            return true;
        }
        buried.remove(before);
        return false;
    }

    private boolean complete(WorkCompletion wc, int at, long tail) {
        Mlx5QueuePair qp = find(Cqe.qpn(tail));
        if (qp == null) {
            buried.discard(tail);
            return false;
        }
        return reader.complete(wc, qp, at, tail);
    }

    private boolean pollFlushedSend(WorkCompletion wc) {
        for (Mlx5QueuePair qp = flushingSends.peek(); qp != null; qp = flushingSends.peek()) {
            int counter = qp.isClosed() ? -1 : qp.sends().oldest();
            if (counter >= 0) {
                wc.fail(qp.sends().wrId(counter), qp.number(), WcStatus.WR_FLUSH_ERR, 0);
                qp.sends().complete(counter);
                return true;
            }
            flushingSends.poll();
        }
        return false;
    }

    private boolean pollFlush(WorkCompletion wc) {
        for (Mlx5QueuePair qp = flushing.peek(); qp != null; qp = flushing.peek()) {
            int counter = qp.isClosed() ? -1
                    : qp.shared() != null ? qp.control().lostReceive() : qp.ownReceives().oldest();
            if (counter < 0) {
                flushing.poll();
            } else if (CqeReader.failReceive(wc, qp, counter, WcStatus.WR_FLUSH_ERR, 0)) {
                return true;
            }
        }
        return false;
    }

    /**
     * For devices that leave the flush of receives to the driver: every receive of the QP that is not complete is
     * reported flushed, after what lies in the ring. To be called again after receives were posted in ERR. Any thread.
     */
    public void flushReceives(Mlx5QueuePair qp) {
        if (!flushing.contains(qp)) {
            flushing.add(qp);
        }
        note(LEFT);
    }

    /**
     * For devices that are not there any more: every send of the QP that is not complete is reported flushed, after
     * what lies in the ring. To be called again after sends were posted. Any thread.
     */
    public void flushSends(Mlx5QueuePair qp) {
        if (!flushingSends.contains(qp)) {
            flushingSends.add(qp);
        }
        note(LEFT);
    }

    /** Has the next poll that finds nothing call {@link CompletionQueueControl#progress()}. Any thread. */
    public void alert() {
        note(ALERTED);
    }

    /** Passes over completions that were overwritten before they were polled. The polling thread. */
    public void skip(int count) {
        consumer += count;
    }

    /** Returns the number of completions polled so far. */
    public int consumer() {
        return consumer;
    }

    /**
     * For devices that give the numbers of destroyed QPs to new ones: completions of this QP, which is detached and
     * destroyed, may still lie in the ring; they are passed over, and their receives of an SRQ given back.
     */
    public void bury(Mlx5QueuePair qp) {
        buried.add(qp.number(), qp.shared());
        note(LEFT);
    }

    /** Returns true while completions of a destroyed QP of this number may lie in the ring. Any thread. */
    public boolean isBuried(int qpn) {
        return buried.contains(qpn);
    }

    private Mlx5QueuePair find(int qpn) {
        Mlx5QueuePair qp = last;
        if (qp != null && qp.number() == qpn && !qp.isClosed()) {
            return qp;
        }
        qp = qps.find(qpn);
        if (qp != null) {
            last = qp;
        }
        return qp;
    }

    /**
     * Lets a queue of the QP report here; to be called once for its SQ and once for its RQ.
     *
     * @throws VerbsException when this CQ is exclusive and taken, or closed
     */
    public synchronized void attach(Mlx5QueuePair qp) {
        reserve();
        qps.add(qp);
    }

    /** Takes one of the places of {@link #attach}, before there is a QP. @throws VerbsException as there */
    private void reserve() {
        if (closed || exclusive && (users > 0 || served)) {
            throw new VerbsException("create_qp", closed
                    ? "completion queue is closed, number=" + number
                    : "exclusive completion queue " + (served ? "had" : "has") + " its queue already, number="
                            + number);
        }
        users = users + 1;
    }

    /**
     * Ends what one call of {@link #attach} began. An exclusive CQ takes no other QP: the peer of this one may be about
     * to write a last completion, where the next one's would be.
     */
    public synchronized void detach(Mlx5QueuePair qp) {
        served = true;
        withdraw(qp);
    }

    /** As {@link #detach}, for a QP that could not be made: nobody reported here. */
    public synchronized void withdraw(Mlx5QueuePair qp) {
        qps.remove(qp);
        users = users - 1;
        if (last == qp) {
            last = null;
        }
    }

    @Override
    public void arm() {
        control.arm(consumer);
    }

    @Override
    public void disarm() {
        control.disarm();
    }

    @Override
    public int depth() {
        return promised;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (users > 0) {
            throw new VerbsException("destroy_cq", "number=" + number + " is used by queues=" + users);
        }
        closed = true;
        control.close();
    }
}
