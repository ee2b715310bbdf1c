package org.jvrpc.mlx5;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A CQ over an mlx5 ring. One thread at a time polls. */
public final class Mlx5CompletionQueue implements CompletionQueue {

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
    private final QueuePairTable qps = new QueuePairTable();
    private Mlx5QueuePair last;
    private final ClosedQueuePairs buried = new ClosedQueuePairs();
    private volatile boolean alerted;
    private volatile int users;
    private volatile boolean closed;
    /** True when a queue reported here that is gone. */
    private boolean served;
    private int consumer;
    private int published;
    /** True when the last message had the line before its CQE, too; the next one is likely to. */
    private boolean wide;
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
    }

    @Override
    public boolean poll(WorkCompletion wc) {
        if (consumer != published && !closed) {
            publish(); // with the payload in place, what the last poll returned may be overwritten from now on only
        }
        return pollRing(wc) || pollSlowly(wc);
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
            if (wide) {
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

    private boolean pollSlowly(WorkCompletion wc) {
        if (closed) {
            return false;
        }
        if (alerted || control.alerted()) {
            alerted = false;
            control.progress();
            if (pollRing(wc)) {
                return true;
            }
        }
        if (!buried.isEmpty() && pollPast(wc)) {
            return true;
        }
        return !flushing.isEmpty() && pollFlush(wc);
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
        int counter = Cqe.wqeCounter(tail);
        switch (Cqe.opcode(tail)) {
            case Cqe.RESP_SEND:
            case Cqe.RESP_SEND_IMM:
            case Cqe.RESP_WR_IMM:
            case Cqe.RESP_SEND_INV:
                return completeReceive(wc, qp, at, tail, counter);
            case Cqe.REQ:
                completeSend(wc, qp, at, tail, counter);
                return true;
            case Cqe.REQ_ERR:
                wc.fail(qp.sends().wrId(counter), qp.number(), status(at), memory.get(at + Cqe.VENDOR_ERROR) & 0xff);
                qp.sends().complete(counter);
                qp.control().failed();
                return true;
            case Cqe.RESP_ERR:
                boolean known = failReceive(wc, qp, counter, status(at), memory.get(at + Cqe.VENDOR_ERROR) & 0xff);
                qp.control().failed();
                return known;
            default:
                qp.error();
                return false;
        }
    }

    private void completeSend(WorkCompletion wc, Mlx5QueuePair qp, int at, long tail, int counter) {
        WcOpcode opcode = opcode(Cqe.sendOpcode(tail));
        boolean atomic = opcode == WcOpcode.COMPARE_SWAP || opcode == WcOpcode.FETCH_ADD;
        // The count of an atomic is not looked at: rdma-core does not trust it.
        wc.succeed(qp.sends().wrId(counter), qp.number(), opcode,
                atomic ? 8 : BigEndian.getInt(memory, at + Cqe.BYTE_COUNT));
        int format = Cqe.format(tail);
        if (format != 0) {
            takeAnswer(wc, qp, at, format, counter);
        }
        qp.sends().complete(counter);
    }

    /** Copies the answer of a READ or an atomic, which a card may put into the CQE, to where the WQE says. */
    private void takeAnswer(WorkCompletion wc, Mlx5QueuePair qp, int at, int format, int counter) {
        int from = Cqe.inlineOffset(at, format);
        int length = wc.byteLength();
        boolean taken = length >= 0 && length <= Cqe.inlineBytes(format) && from >= ring
                && qp.scatterAnswer(counter, memory, from, length);
        if (!taken) {
            wc.fail(wc.wrId(), qp.number(), WcStatus.BAD_RESP_ERR, format);
            qp.error();
        }
    }

    private WcStatus status(int at) {
        return Syndrome.status(memory.get(at + Cqe.SYNDROME));
    }

    private boolean completeReceive(WorkCompletion wc, Mlx5QueuePair qp, int at, long tail, int counter) {
        ReceiveQueue receives = qp.receives();
        if (receives == null) {
            return completeSpecial(wc, qp, at, tail, counter);
        }
        if (!receives.isPosted(counter)) {
            return false;
        }
        int length = BigEndian.getInt(memory, at + Cqe.BYTE_COUNT);
        int opcode = Cqe.opcode(tail);
        wc.succeed(receives.wrId(counter), qp.number(),
                opcode == Cqe.RESP_WR_IMM ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV, length);
        if (Cqe.hasImmediate(opcode)) {
            wc.immediate(BigEndian.getInt(memory, at + Cqe.IMMEDIATE));
        }
        int format = Cqe.format(tail);
        if (format != 0) {
            takeInline(wc, qp, at, format, counter, length);
        }
        receives.complete(counter); // last: another thread may post into the slot at once
        return true;
    }

    /** Completes a receive of an SRQ, or a datagram. */
    private boolean completeSpecial(WorkCompletion wc, Mlx5QueuePair qp, int at, long tail, int counter) {
        Mlx5SharedReceiveQueue shared = qp.shared();
        boolean known = shared != null ? shared.ring().complete(counter) : qp.ownReceives().isPosted(counter);
        if (!known) {
            return false;
        }
        int length = BigEndian.getInt(memory, at + Cqe.BYTE_COUNT);
        int opcode = Cqe.opcode(tail);
        wc.succeed(shared != null ? shared.ring().wrId(counter) : qp.ownReceives().wrId(counter), qp.number(),
                opcode == Cqe.RESP_WR_IMM ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV, length);
        if (Cqe.hasImmediate(opcode)) {
            wc.immediate(BigEndian.getInt(memory, at + Cqe.IMMEDIATE));
        }
        int format = Cqe.format(tail);
        if (qp.isDatagram()) {
            wc.datagram(BigEndian.getInt(memory, at + Cqe.FLAGS_RQPN) & 0xffffff);
        }
        if (format != 0) {
            takeInline(wc, qp, at, format, counter, length);
        }
        if (shared != null) {
            shared.ring().release(counter);
        } else {
            qp.ownReceives().complete(counter);
        }
        return true;
    }

    private static boolean failReceive(
            WorkCompletion wc, Mlx5QueuePair qp, int counter, WcStatus status, int vendorError) {
        if (qp.shared() == null) {
            return failOwnReceive(wc, qp, counter, status, vendorError);
        }
        if (!qp.shared().ring().complete(counter)) {
            return false;
        }
        wc.fail(qp.shared().ring().wrId(counter), qp.number(), status, vendorError);
        qp.shared().ring().release(counter);
        return true;
    }

    private static boolean failOwnReceive(
            WorkCompletion wc, Mlx5QueuePair qp, int counter, WcStatus status, int vendorError) {
        ReceiveQueue receives = qp.ownReceives();
        if (!receives.isPosted(counter)) {
            return false;
        }
        wc.fail(receives.wrId(counter), qp.number(), status, vendorError);
        receives.complete(counter);
        return true;
    }

    private void takeInline(WorkCompletion wc, Mlx5QueuePair qp, int at, int format, int counter, int length) {
        int from = Cqe.inlineOffset(at, format);
        wide = from != at;
        if (length < 0 || length > Cqe.inlineBytes(format) || from < ring) {
            wc.fail(wc.wrId(), qp.number(), WcStatus.BAD_RESP_ERR, format);
            qp.error();
        } else if (payloadInPlace) {
            wc.inline(memory, from);
        } else if (!qp.scatter(counter, memory, from, length)) {
            wc.fail(wc.wrId(), qp.number(), WcStatus.LOC_PROT_ERR, format);
            qp.error();
        }
    }

    private static WcOpcode opcode(int sendOpcode) {
        return switch (sendOpcode) {
            case Wqe.RDMA_WRITE, Wqe.RDMA_WRITE_IMM -> WcOpcode.RDMA_WRITE;
            case Wqe.RDMA_READ -> WcOpcode.RDMA_READ;
            case Wqe.ATOMIC_CS -> WcOpcode.COMPARE_SWAP;
            case Wqe.ATOMIC_FA -> WcOpcode.FETCH_ADD;
            default -> WcOpcode.SEND;
        };
    }

    private boolean pollFlush(WorkCompletion wc) {
        for (Mlx5QueuePair qp = flushing.peek(); qp != null; qp = flushing.peek()) {
            int counter = qp.isClosed() ? -1
                    : qp.shared() != null ? qp.control().lostReceive() : qp.ownReceives().oldest();
            if (counter < 0) {
                flushing.poll();
            } else if (failReceive(wc, qp, counter, WcStatus.WR_FLUSH_ERR, 0)) {
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
    }

    /** Has the next poll that finds nothing call {@link CompletionQueueControl#progress()}. Any thread. */
    public void alert() {
        alerted = true;
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
