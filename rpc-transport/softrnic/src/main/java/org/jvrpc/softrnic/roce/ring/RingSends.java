package org.jvrpc.softrnic.roce.ring;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.roce.rc.SendQueue;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/**
 * The send ring as the transport sees it. A WQE stays in the ring until it is completed, so that what is sent again is
 * gathered again. Under the QP's lock.
 */
public class RingSends implements SendQueue {

    private static final long NONE = Long.MIN_VALUE;

    private final PortQueuePair qp;
    private final ByteBuffer memory;
    private final int ring;
    private final int ringMask;
    private final CqWriter completions;
    private final DataSegments data;
    private int producer;
    private int fetched;
    /** The WQE whose segments the list has, until they are used once: keys are looked up for each packet. */
    private long collected = NONE;

    /**
     * @param queue the ring
     * @param completions writes to the QP's send CQ
     */
    public RingSends(PortQueuePair qp, QueueMemory queue, CqWriter completions) {
        this.qp = qp;
        this.memory = queue.memory();
        this.ring = queue.ring();
        this.ringMask = queue.entries() * Wqe.BLOCK - 1;
        this.completions = completions;
        this.data = new DataSegments(queue, qp.pd(), qp.regions());
    }

    /** WQEs up to this index are posted. */
    public void produced(int newProducer) {
        producer = newProducer;
    }

    /** Begins to send under the lock: keys that were looked up before may be dead. */
    public void begin() {
        collected = NONE;
    }

    private int at(long index) {
        return (int) index * Wqe.BLOCK & ringMask;
    }

    @Override
    public boolean fetch(SendWork work) {
        if (fetched == producer) {
            return false;
        }
        int at = at(fetched);
        long control = BigEndian.getLong(memory, ring + at);
        int segments = Wqe.segments((int) control);
        int blocks = Math.max(1, Wqe.blocks(segments));
        int left = producer - fetched;
        int opcode = Wqe.opcode((int) (control >>> 32));
        Operation operation = operation(opcode, Wqe.opmod((int) (control >>> 32)));
        collected = NONE;
        if (segments == 0 || blocks > left || operation == null) {
            work.set(Operation.SEND, 0, fetched).refuse(WcStatus.LOC_QP_OP_ERR);
        } else {
            fill(work, at, opcode, operation, segments);
        }
        fetched += Math.min(blocks, left);
        return true;
    }

    private static Operation operation(int opcode, int opmod) {
        if (opmod != 0) {
            return null; // a card's calculations have no packets
        }
        return switch (opcode) {
            case Wqe.SEND -> Operation.SEND;
            case Wqe.SEND_IMM -> Operation.SEND_IMM;
            case Wqe.RDMA_WRITE -> Operation.WRITE;
            case Wqe.RDMA_WRITE_IMM -> Operation.WRITE_IMM;
            case Wqe.RDMA_READ -> Operation.READ;
            case Wqe.ATOMIC_CS -> Operation.COMPARE_SWAP;
            case Wqe.ATOMIC_FA -> Operation.FETCH_ADD;
            default -> null;
        };
    }

    private void fill(SendWork work, int at, int opcode, Operation operation, int segments) {
        long flags = BigEndian.getLong(memory, ring + at + 8);
        WcStatus status = collect(at, opcode, operation, segments);
        boolean atomic = operation == Operation.COMPARE_SWAP || operation == Operation.FETCH_ADD;
        work.set(operation, data.list().total(), fetched)
                .flags((flags >>> 32 & Wqe.FENCE) != 0, (flags >>> 32 & Wqe.SOLICITED) != 0).word((int) flags)
                .unsignalled(!Wqe.isSignalled(flags));
        if (operation.ordinal() >= Operation.WRITE.ordinal()) {
            int remote = ring + at + Wqe.REMOTE;
            work.remote(BigEndian.getLong(memory, remote), BigEndian.getInt(memory, remote + 8));
        }
        if (atomic) {
            int operands = ring + at + Wqe.ATOMIC;
            work.operands(
                    BigEndian.getLong(memory, operands + Wqe.ATOMIC_COMPARE), BigEndian.getLong(memory, operands));
        }
        if (status == WcStatus.SUCCESS && atomic && !data.list().isOneLong()) {
            status = WcStatus.LOC_QP_OP_ERR;
        }
        if (status != WcStatus.SUCCESS) {
            work.refuse(status);
        } else {
            collected = work.cookie();
        }
    }

    private WcStatus collect(int at, int opcode, Operation operation, int segments) {
        boolean brings = operation.ordinal() >= Operation.READ.ordinal();
        int offset = operation == Operation.READ ? 2 * Wqe.SEGMENT : Wqe.dataOffset(opcode);
        return data.collect(at, offset, segments, brings ? Access.LOCAL_WRITE : 0);
    }

    /** Has the list of a WQE at hand. */
    private WcStatus find(SendWork work) {
        if (collected == work.cookie()) {
            collected = NONE;
            return WcStatus.SUCCESS;
        }
        int at = at(work.cookie());
        long control = BigEndian.getLong(memory, ring + at);
        WcStatus status = collect(
                at, Wqe.opcode((int) (control >>> 32)), work.operation(), Wqe.segments((int) control));
        collected = NONE;
        boolean changed = status == WcStatus.SUCCESS && data.list().total() != work.length();
        return changed ? WcStatus.LOC_QP_OP_ERR : status; // changed while it was under way
    }

    @Override
    public WcStatus gather(SendWork work, long from, ByteBuffer packet, int at, int length) {
        WcStatus status = find(work);
        return status == WcStatus.SUCCESS ? move(from, packet, at, length, false) : status;
    }

    @Override
    public WcStatus scatter(SendWork work, long from, ByteBuffer packet, int at, int length) {
        WcStatus status = find(work);
        return status == WcStatus.SUCCESS ? move(from, packet, at, length, true) : status;
    }

    /** Memory that was adopted may have been cut by its owner: that is this WR's fault alone. */
    private WcStatus move(long from, ByteBuffer packet, int at, int length, boolean in) {
        try {
            if (in) {
                data.list().scatter(from, packet, at, length);
            } else {
                data.list().gather(from, packet, at, length);
            }
            data.list().told();
            return WcStatus.SUCCESS;
        } catch (InternalError e) {
            return WcStatus.LOC_PROT_ERR;
        }
    }

    @Override
    public WcStatus store(SendWork work, long found) {
        WcStatus status = find(work);
        if (status == WcStatus.SUCCESS) {
            data.list().putLong(found);
        }
        return status;
    }

    @Override
    public void complete(SendWork work, WcStatus status) {
        int index = (int) work.cookie();
        if (status != WcStatus.SUCCESS) {
            completions.fail(index, Cqe.REQ_ERR, status, 0);
            return;
        }
        int at = at(index);
        if (Wqe.isSignalled(BigEndian.getLong(memory, ring + at + 8))) {
            int opcode = Wqe.opcode((int) (BigEndian.getLong(memory, ring + at) >>> 32));
            if (!completions.succeed(opcode, index, (int) work.length())) {
                failed();
            }
        }
    }

    @Override
    public void failed() {
        qp.error(); // who sleeps for receives is woken, too
    }

    /** The QP is in ERR: completes what was posted and never fetched. */
    public void flush() {
        while (fetched != producer) {
            int segments = Wqe.segments((int) BigEndian.getLong(memory, ring + at(fetched)));
            completions.fail(fetched, Cqe.REQ_ERR, WcStatus.WR_FLUSH_ERR, 0);
            fetched += Math.min(Math.max(1, Wqe.blocks(segments)), producer - fetched);
        }
    }
}
