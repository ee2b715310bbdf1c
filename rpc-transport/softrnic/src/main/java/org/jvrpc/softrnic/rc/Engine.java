package org.jvrpc.softrnic.rc;

import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Push;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.LateFaults;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.verbs.WcStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the send queue of one QP, on the thread that rings its doorbell: fetches the WQE from the ring, checks it,
 * moves the data, completes it at both ends. Executes in order and to the end, so that the order rules of RC hold by
 * themselves, and a fence has nothing to wait for. A WQE that finds the peer not ready to receive stalls the queue; it
 * is tried again by later doorbells and polls, under this object's monitor.
 */
public final class Engine implements SendEngine {

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    /** Looks at the peer's memory, behind one in so many of which it is asked whether there was any. */
    private static final int ASK_EVERY = 256;

    private final ByteBuffer memory;
    private final int context;
    private final int ring;
    private final int ringMask;
    private final int pd;
    private final RegionTable regions;
    private final CqWriter completions;
    private final PortQueuePair qp;
    private final LongSupplier clock;
    private final WqeExecutor executor;
    private final Landing landing = new Landing();
    private Responder responder;
    /** The peer has receives of its own: one of an SRQ that is looked at is taken from others. */
    private boolean pushes;
    private int producer;
    private int executed;
    private int looks;
    private long rnrAgainNs;
    private volatile boolean stalled;

    /**
     * @param qp is told when the queue stalls, and when a WQE failed and the QP is in ERR
     * @param completions producer of the send CQ
     * @param clock monotonic, in nanoseconds; read for RNR retries only
     */
    public Engine(PortQueuePair qp, CqWriter completions, LongSupplier clock) {
        QueueMemory queue = qp.sends();
        this.qp = qp;
        this.memory = queue.memory();
        this.context = qp.context();
        this.ring = queue.ring();
        this.ringMask = queue.entries() * Wqe.BLOCK - 1;
        this.pd = qp.pd();
        this.regions = qp.regions();
        this.completions = completions;
        this.clock = clock;
        this.executor = new WqeExecutor(
                queue, new DataSegments(queue, pd, regions), qp.attributes().rnrRetry(), clock);
    }

    /** Sets the peer; before the first doorbell that may find the QP in RTS. */
    public void connect(Responder peer) {
        this.responder = peer;
        this.pushes = peer.getClass() == Responder.class; // not by instanceof, which would load the other
        executor.connect(peer);
    }

    @Override
    public void wakePeer() {
        if (responder != null) {
            responder.completions().settle();
        }
    }

    @Override
    public void expectSends(int count) {
        Responder peer = responder;
        if (stalled || !pushes || peer.chains() != null || !isReady()) {
            return;
        }
        try {
            if (peer.isReady()) { // else the memory may be somebody else's
                peer.completions().fetchNext(count);
            }
            if ((++looks & ASK_EVERY - 1) == 0) {
                LateFaults.tell();
            }
        } catch (InternalError e) {
            peerVanished(e);
        }
    }

    @Override
    public boolean isStalled() {
        return stalled || isChainHeld();
    }

    /** Returns true when the chains that the peer's messages set going want to go on. */
    private boolean isChainHeld() {
        return responder != null && responder.chains() != null && responder.chains().isHeld();
    }

    @Override
    public void ring(int producer) {
        try {
            if (stalled) {
                ringStalled(producer);
            } else {
                this.producer = producer;
                run();
            }
        } catch (InternalError e) {
            peerVanished(e);
            run(); // flushes the queue
        }
    }

    /** The peer truncated a slab of its own, and the machine found no page behind a mapping: the connection ends. */
    private void peerVanished(Throwable e) {
        LOG.warn("memory of the peer or of the body is gone, a QP of protection domain {} ends: {}", pd, e.toString());
        QpContext.fail(memory, context);
        qp.failed();
    }

    @Override
    public boolean push(int producer, long[] words) {
        try {
            return pushWhole(producer, words);
        } catch (InternalError e) {
            peerVanished(e);
            return false;
        }
    }

    private boolean pushWhole(int producer, long[] words) {
        int segments = Wqe.segments((int) words[0]);
        if (stalled || executed != producer || responder == null || (segments & ~1) != 2 // one data segment or two
                || Wqe.opcode((int) (words[0] >>> 32)) != Wqe.SEND) {
            return false;
        }
        boolean sent = responder.chains() == null ? sendShort(words, segments == 3) : segments == 2 && trigger(words);
        if (!sent) {
            return false;
        }
        executed = producer + 1;
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

    @Override
    public synchronized void progress() {
        if (!stalled) {
            if (isChainHeld()) {
                responder.chains().resume();
            }
            return; // the queue is its poster's again
        }
        if (isReady() && clock.getAsLong() - rnrAgainNs < 0) {
            qp.stalled();
            return;
        }
        try {
            run();
        } catch (InternalError e) {
            peerVanished(e);
            run();
        }
    }

    private boolean isReady() {
        return QpContext.isRts(memory, context);
    }

    private void run() {
        while (executed != producer) {
            int at = executed * Wqe.BLOCK & ringMask;
            long control = BigEndian.getLong(memory, ring + at);
            long flags = BigEndian.getLong(memory, ring + at + 8);
            int segments = Wqe.segments((int) control);
            int blocks = Math.max(1, Wqe.blocks(segments));
            if (!isReady()) {
                giveUp();
                completions.fail(executed, Cqe.REQ_ERR, WcStatus.WR_FLUSH_ERR, 0);
            } else {
                boolean whole = segments > 0 && blocks <= producer - executed;
                WcStatus status = whole ? executor.execute(at, control, flags) : WcStatus.LOC_QP_OP_ERR;
                if (status == null) {
                    stall();
                    return;
                }
                complete(control, flags, status);
            }
            executed += Math.min(blocks, producer - executed);
            executor.begin();
        }
        if (stalled) {
            stalled = false;
        }
        if (isChainHeld()) {
            qp.stalled();
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
        if (words[1] >>> 32 != 0 || total < 0 || !isReady() || !responder.isReady()) {
            return false;
        }
        // A negative length lies in no region.
        ByteBuffer from = regions.window((int) words[2], pd, words[3], first);
        ByteBuffer then = second == 0 ? from : regions.window((int) words[4], pd, words[5], second);
        if (from == null || then == null || !landing.find(responder, total, pushes)) {
            return false;
        }
        Copy.bytes(from, Slab.index(words[3]), landing.target(), landing.to(), first);
        if (second > 0) {
            Copy.bytes(then, Slab.index(words[5]), landing.target(), landing.to() + first, second);
        }
        landing.publish(responder, total);
        return true;
    }

    @Override
    public Push prepare(long[] segments) {
        return new HeadedSend(this, regions, pd, segments);
    }

    /**
     * As {@link #sendShort}, for a header that is handed over and a body whose region is checked.
     *
     * @param body may be null when there are no bytes
     */
    boolean push(int producer, long first, long second, ByteBuffer body, int from, int length) {
        Responder peer = responder;
        if (stalled || executed != producer || !pushes || peer.chains() != null || !isReady()) {
            return false;
        }
        try {
            int total = HeadedSend.HEADER_BYTES + length;
            if (!peer.isReady() || !landing.find(peer, total, true)) {
                return false;
            }
            Copy.pair(first, second, landing.target(), landing.to());
            if (length > 0) {
                Copy.bytes(body, from, landing.target(), landing.to() + HeadedSend.HEADER_BYTES, length);
            }
            landing.publish(peer, total);
            return true;
        } catch (InternalError e) {
            peerVanished(e);
            return false;
        }
    }

    /** As above, of a body that begins in the region, and goes on in a buffer of the caller's. */
    boolean push(int producer, long first, long second, ByteBuffer body, int from, int head, ByteBuffer rest, int at,
            int length) {
        Responder peer = responder;
        if (stalled || executed != producer || !pushes || peer.chains() != null || !isReady()) {
            return false;
        }
        if (length > 0) {
            rest.get(at); // memory that was given back, or is another thread's, throws before a CQE is claimed
        }
        try {
            int total = HeadedSend.HEADER_BYTES + head + length;
            if (!peer.isReady() || !landing.find(peer, total, true)) {
                return false;
            }
            int to = landing.to() + HeadedSend.HEADER_BYTES;
            Copy.pair(first, second, landing.target(), landing.to());
            if (head > 0) {
                Copy.bytes(body, from, landing.target(), to, head);
            }
            Copy.bytes(rest, at, landing.target(), to + head, length);
            landing.publish(peer, total);
            return true;
        } catch (InternalError | RuntimeException e) { // or the caller's buffer has changed meanwhile
            peerVanished(e);
            return false;
        }
    }

    @Override
    public boolean read(long address, int rkey, ByteBuffer into, int at, int length) {
        try {
            boolean there = responder != null && isReady() && responder.read(rkey, address, into, at, length);
            if ((++looks & ASK_EVERY - 1) == 0) {
                LateFaults.tell();
            }
            return there;
        } catch (InternalError e) {
            peerVanished(e);
            return false;
        }
    }

    /**
     * As {@link #sendShort}, to a cross-channel QP: scatters one piece over the receive's, then runs what waits for it.
     */
    private boolean trigger(long[] words) {
        int total = (int) (words[2] >>> 32);
        ByteBuffer from = regions.window((int) words[2], pd, words[3], total);
        MessageChains chains = responder.chains();
        if (words[1] >>> 32 != 0 || total <= 0 || from == null || !isReady() || !chains.claim()) {
            return false;
        }
        try {
            int wqe = responder.isReady() ? responder.peekReceive() : -1;
            if (wqe < 0 || !responder.scatter(wqe, from, Slab.index(words[3]), total)) {
                return false;
            }
            CqWriter cq = responder.completions();
            int cqe = cq.claim();
            if (cqe < 0) {
                return false;
            }
            BigEndian.putInt(cq.memory(), cqe + Cqe.BYTE_COUNT, total);
            cq.publish(cqe, 0, responder.consume(), Cqe.RESP_SEND, 0);
            chains.run();
        } finally {
            chains.release();
        }
        if (chains.isHeld()) {
            qp.stalled();
        }
        return true;
    }

    private void stall() {
        rnrAgainNs = clock.getAsLong() + qp.attributes().minRnrTimerNs();
        stalled = true;
        qp.stalled();
    }

    private void complete(long control, long flags, WcStatus status) {
        if (status != WcStatus.SUCCESS) {
            fail(status);
        } else if (Wqe.isSignalled(flags)) {
            if (!completions.succeed(Wqe.opcode((int) (control >>> 32)), executed, executor.bytes())) {
                QpContext.fail(memory, context);
                qp.failed();
            }
        }
    }

    /** Leaves a receive that the peer shares to others. */
    private void giveUp() {
        if (responder != null) {
            responder.giveUp();
        }
    }

    private void fail(WcStatus status) {
        giveUp();
        QpContext.fail(memory, context);
        completions.fail(executed, Cqe.REQ_ERR, status, 0);
        qp.failed();
    }
}
