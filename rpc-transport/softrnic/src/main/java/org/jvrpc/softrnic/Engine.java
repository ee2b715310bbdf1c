package org.jvrpc.softrnic;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Doorbell;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.WcStatus;

/**
 * Executes the send queue of one QP, on the thread that rings its doorbell: fetches the WQE from the ring, checks it,
 * moves the data, completes it at both ends. Executes in order and to the end, so that the order rules of RC hold by
 * themselves, and a fence has nothing to wait for. A WQE that finds the peer not ready to receive stalls the queue; it
 * is tried again by later doorbells and polls, under this object's monitor.
 */
final class Engine implements Doorbell {

    /** The longest message, in bytes. Source: max_msg_sz of mlx5. */
    static final long MAX_MESSAGE = 1L << 30;

    /** How long a peer may stay in INIT before it counts as one that does not answer. */
    private static final long CONNECT_NS = 5_000_000_000L;

    private final ByteBuffer memory;
    private final int context;
    private final DataSegments data;
    private final int ring;
    private final int ringMask;
    private final int pd;
    private final RegionTable regions;
    private final CqWriter completions;
    private final QueuePairAttributes attributes;
    private final LongSupplier clock;
    private final Runnable onStall;
    private final Runnable onFailure;
    private final GatherList list;
    private Responder responder;
    private int producer;
    private int executed;
    private int rnrTries;
    private long rnrAgainNs;
    private volatile boolean stalled;
    private boolean metInit;
    private long metInitNs;
    /** Why {@link #receive} or {@link #isPeerReady} says no; null to try again. */
    private WcStatus refusal;

    /**
     * @param context offset of the QP's context in the ring's memory
     * @param completions producer of the send CQ
     * @param clock monotonic, in nanoseconds; read for RNR retries only
     * @param onStall called when the queue stalls: a poll of the send CQ should call {@link #progress}
     * @param onFailure called when a WQE failed and the QP is in ERR
     */
    Engine(
            QueueMemory queue,
            int context,
            int pd,
            RegionTable regions,
            CqWriter completions,
            QueuePairAttributes attributes,
            LongSupplier clock,
            Runnable onStall,
            Runnable onFailure) {
        this.memory = queue.memory();
        this.context = context;
        this.ring = queue.ring();
        this.ringMask = queue.entries() * Wqe.BLOCK - 1;
        this.pd = pd;
        this.regions = regions;
        this.completions = completions;
        this.attributes = attributes;
        this.clock = clock;
        this.onStall = onStall;
        this.onFailure = onFailure;
        this.data = new DataSegments(queue, pd, regions);
        this.list = data.list();
    }

    /** Sets the peer; before the first doorbell that may find the QP in RTS. */
    void connect(Responder peer) {
        this.responder = peer;
    }

    /** Makes sure that the peer is woken for what was delivered to it. */
    void wakePeer() {
        if (responder != null) {
            responder.completions().settle();
        }
    }

    boolean isStalled() {
        return stalled;
    }

    @Override
    public void ring(int producer) {
        if (stalled) {
            ringStalled(producer);
        } else {
            this.producer = producer;
            run();
        }
    }

    @Override
    public boolean push(int producer, long[] words) {
        int segments = Wqe.segments((int) words[0]);
        if (stalled || executed != producer || (segments & ~1) != 2 // one data segment or two
                || Wqe.opcode((int) (words[0] >>> 32)) != Wqe.SEND || !sendShort(words, segments == 3)) {
            return false;
        }
        executed = producer + 1;
        this.producer = producer + 1;
        return true;
    }

    private synchronized void ringStalled(int producer) {
        this.producer = producer;
        if (stalled) {
            progress();
        } else {
            run(); // a poll got it going meanwhile
        }
    }

    /** Tries a stalled queue again. Any thread. */
    synchronized void progress() {
        if (!stalled) {
            return; // the queue is its poster's again
        }
        if (isReady() && clock.getAsLong() - rnrAgainNs < 0) {
            onStall.run();
            return;
        }
        run();
    }

    private boolean isReady() {
        return QpContext.isRts(memory, context);
    }

    private void run() {
        while (executed != producer) {
            int at = executed * Wqe.BLOCK & ringMask;
            long control = BigEndian.getLong(memory, ring + at);
            int segments = Wqe.segments((int) control);
            int blocks = Math.max(1, Wqe.blocks(segments));
            if (!isReady()) {
                completions.fail(executed, Cqe.REQ_ERR, WcStatus.WR_FLUSH_ERR, 0);
            } else {
                boolean whole = segments > 0 && blocks <= producer - executed;
                WcStatus status = whole ? execute(at, segments) : WcStatus.LOC_QP_OP_ERR;
                if (status == null) {
                    stall();
                    return;
                }
                complete(at, status);
            }
            executed += Math.min(blocks, producer - executed);
            rnrTries = 0;
        }
        if (stalled) {
            stalled = false;
        }
    }

    /**
     * Executes, in as few accesses as it takes, the WQE that RPC is made of: a SEND of one or two SGEs, unsignalled,
     * whose message fits in the first SGE of the peer's receive and meets nothing unusual. Returns false, with nothing
     * done, for everything else.
     */
    private boolean sendShort(long[] words, boolean two) {
        int first = (int) (words[2] >>> 32);
        int second = two ? (int) (words[4] >>> 32) : 0;
        int total = first + second;
        if (words[1] >>> 32 != 0 || (first | second | total) < 0 || !isReady() || !responder.isReady()) {
            return false;
        }
        ByteBuffer from = regions.window((int) words[2], pd, words[3], first);
        ByteBuffer then = second == 0 ? from : regions.window((int) words[4], pd, words[5], second);
        int wqe = responder.peekReceive();
        if (from == null || then == null || wqe < 0 || Wqe.dataLength(responder.memory(), wqe) < total) {
            return false;
        }
        CqWriter cq = responder.completions();
        int format = cq.format(total);
        ByteBuffer target = format != 0 ? cq.memory() : responder.window(wqe, total);
        int cqe = target == null ? -1 : cq.claim();
        if (cqe < 0) {
            return false; // a claim that failed raised the overrun; the long way fails on it again
        }
        int to = format != 0 ? Cqe.inlineOffset(cqe, format) : Slab.index(responder.address(wqe));
        Copy.bytes(from, Slab.index(words[3]), target, to, first);
        if (second > 0) {
            Copy.bytes(then, Slab.index(words[5]), target, to + first, second);
        }
        BigEndian.putInt(cq.memory(), cqe + Cqe.BYTE_COUNT, total);
        cq.publish(cqe, 0, responder.consume(), Cqe.RESP_SEND, format);
        return true;
    }

    private void stall() {
        rnrAgainNs = clock.getAsLong() + attributes.minRnrTimerNs();
        stalled = true;
        onStall.run();
    }

    private void complete(int at, WcStatus status) {
        if (status != WcStatus.SUCCESS) {
            fail(status);
        } else if ((Wqe.flags(memory, ring + at) & Wqe.CE_ALWAYS) != 0) {
            int opcode = Wqe.opcode(BigEndian.getInt(memory, ring + at));
            if (!completions.succeed(opcode, executed, (int) list.total())) {
                QpContext.fail(memory, context);
                onFailure.run();
            }
        }
    }

    private void fail(WcStatus status) {
        QpContext.fail(memory, context);
        completions.fail(executed, Cqe.REQ_ERR, status, 0);
        onFailure.run();
    }

    /** Executes the WQE at an offset in the ring; returns null when the peer is not ready to receive. */
    private WcStatus execute(int at, int segments) {
        int opcode = Wqe.opcode(BigEndian.getInt(memory, ring + at));
        switch (opcode) {
            case Wqe.SEND:
            case Wqe.SEND_IMM:
                WcStatus gathered = data.collect(at, Wqe.SEGMENT, segments, 0);
                return gathered != WcStatus.SUCCESS ? gathered : send(at, opcode);
            case Wqe.RDMA_WRITE:
            case Wqe.RDMA_WRITE_IMM:
                gathered = data.collect(at, 2 * Wqe.SEGMENT, segments, 0);
                return gathered != WcStatus.SUCCESS ? gathered : write(at, opcode);
            case Wqe.RDMA_READ:
                gathered = data.collect(at, 2 * Wqe.SEGMENT, segments, Access.LOCAL_WRITE);
                return gathered != WcStatus.SUCCESS ? gathered : read(at);
            case Wqe.ATOMIC_CS:
            case Wqe.ATOMIC_FA:
                gathered = data.collect(at, 3 * Wqe.SEGMENT, segments, Access.LOCAL_WRITE);
                return gathered != WcStatus.SUCCESS ? gathered : atomic(at, opcode);
            case Wqe.NOP:
                list.clear();
                return WcStatus.SUCCESS;
            default:
                return WcStatus.LOC_QP_OP_ERR;
        }
    }

    /** Returns true when the peer takes messages; else sets {@link #refusal}. */
    private boolean isPeerReady() {
        if (responder.isReady()) {
            return true;
        }
        refusal = responder.isInit() && mayConnect() ? null : WcStatus.RETRY_EXC_ERR;
        return false;
    }

    /** Returns true while a peer in INIT may still come to RTR: it knows of the connection later than this side. */
    private boolean mayConnect() {
        long nowNs = clock.getAsLong();
        if (!metInit) {
            metInit = true;
            metInitNs = nowNs;
        }
        return nowNs - metInitNs < CONNECT_NS;
    }

    /** Returns the offset of the peer's next receive WQE, or -1 after having set {@link #refusal}. */
    private int receive() {
        if (!isPeerReady()) {
            return -1;
        }
        int wqe = responder.peekReceive();
        if (wqe < 0) {
            boolean again = attributes.rnrRetry() == QueuePairAttributes.RNR_RETRY_FOREVER
                    || rnrTries < attributes.rnrRetry();
            rnrTries++;
            refusal = again ? null : WcStatus.RNR_RETRY_EXC_ERR;
        }
        return wqe;
    }

    private WcStatus send(int at, int opcode) {
        int wqe = receive();
        if (wqe < 0) {
            return refusal;
        }
        int total = (int) list.total();
        if (total > Wqe.dataLength(responder.memory(), wqe) && total > responder.capacity(wqe)) {
            responder.failReceive(WcStatus.LOC_LEN_ERR, 0);
            return WcStatus.REM_INV_REQ_ERR;
        }
        CqWriter cq = responder.completions();
        int format = cq.format(total);
        if (format == 0 && !scatter(wqe, total)) {
            responder.failReceive(WcStatus.LOC_PROT_ERR, 0);
            return WcStatus.REM_OP_ERR;
        }
        int cqe = cq.claim();
        if (cqe < 0) {
            responder.fail();
            return WcStatus.REM_OP_ERR;
        }
        if (format != 0) {
            list.gather(cq.memory(), Cqe.inlineOffset(cqe, format));
        }
        deliver(cq, cqe, at, opcode == Wqe.SEND ? Cqe.RESP_SEND : Cqe.RESP_SEND_IMM, total, format);
        return WcStatus.SUCCESS;
    }

    private void deliver(CqWriter cq, int cqe, int at, int opcode, int total, int format) {
        if (opcode != Cqe.RESP_SEND) {
            BigEndian.putInt(cq.memory(), cqe + Cqe.IMMEDIATE, Wqe.immediate(memory, ring + at));
        }
        BigEndian.putInt(cq.memory(), cqe + Cqe.BYTE_COUNT, total);
        cq.publish(cqe, 0, responder.consume(), opcode, format);
    }

    /** Places the message in the memory of a receive WQE; false when a key of the peer refuses. */
    private boolean scatter(int wqe, int total) {
        ByteBuffer peer = responder.memory();
        long done = 0;
        for (int at = wqe; at < wqe + responder.stride() && done < total; at += Wqe.SEGMENT) {
            long piece = Math.min(total - done, Wqe.byteCount(peer, at));
            long address = Wqe.dataAddress(peer, at);
            Slab slab = responder.region(Wqe.dataLkey(peer, at), address, piece, Access.LOCAL_WRITE);
            if (slab == null) {
                return false;
            }
            if (piece == total && piece <= Slab.untilWindowEnd(address)) {
                list.gather(slab.window(address), Slab.index(address));
            } else {
                list.gather(done, slab, address, piece);
            }
            done += piece;
        }
        return done == total;
    }

    private long remoteAddress(int at) {
        return BigEndian.getLong(memory, ring + (at + Wqe.REMOTE & ringMask));
    }

    private Slab remote(int at, long bytes, int access) {
        int rkey = BigEndian.getInt(memory, ring + (at + Wqe.REMOTE & ringMask) + 8);
        Slab slab = responder.region(rkey, remoteAddress(at), bytes, access);
        if (slab == null) {
            responder.fail();
        }
        return slab;
    }

    private WcStatus write(int at, int opcode) {
        boolean immediate = opcode == Wqe.RDMA_WRITE_IMM;
        if (immediate ? receive() < 0 : !isPeerReady()) {
            return refusal;
        }
        long total = list.total();
        if (total > 0) {
            Slab slab = remote(at, total, Access.REMOTE_WRITE);
            if (slab == null) {
                return WcStatus.REM_ACCESS_ERR;
            }
            VarHandle.releaseFence();
            list.gather(0, slab, remoteAddress(at), total);
            VarHandle.releaseFence(); // what is written later must not be seen earlier
        }
        if (immediate) {
            int cqe = responder.completions().claim();
            if (cqe < 0) {
                responder.fail();
                return WcStatus.REM_OP_ERR;
            }
            deliver(responder.completions(), cqe, at, Cqe.RESP_WR_IMM, (int) total, 0);
        }
        return WcStatus.SUCCESS;
    }

    private WcStatus read(int at) {
        if (!isPeerReady()) {
            return refusal;
        }
        long total = list.total();
        if (total > 0) {
            Slab slab = remote(at, total, Access.REMOTE_READ);
            if (slab == null) {
                return WcStatus.REM_ACCESS_ERR;
            }
            VarHandle.acquireFence(); // what an earlier READ saw must not be newer
            list.scatter(slab, remoteAddress(at));
            VarHandle.acquireFence();
        }
        return WcStatus.SUCCESS;
    }

    private WcStatus atomic(int at, int opcode) {
        if (!isPeerReady()) {
            return refusal;
        }
        if (list.total() != 8) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        long address = remoteAddress(at);
        if ((address & 7) != 0) {
            responder.fail();
            return WcStatus.REM_INV_REQ_ERR;
        }
        Slab slab = remote(at, 8, Access.REMOTE_ATOMIC);
        if (slab == null) {
            return WcStatus.REM_ACCESS_ERR;
        }
        int operands = ring + (at + Wqe.ATOMIC & ringMask);
        long swapOrAdd = BigEndian.getLong(memory, operands);
        ByteBuffer target = slab.window(address);
        long old = opcode == Wqe.ATOMIC_CS
                ? Atomics.compareAndSwap(
                        target, Slab.index(address), BigEndian.getLong(memory, operands + 8), swapOrAdd)
                : Atomics.fetchAndAdd(target, Slab.index(address), swapOrAdd);
        list.putLong(old);
        return WcStatus.SUCCESS;
    }
}
