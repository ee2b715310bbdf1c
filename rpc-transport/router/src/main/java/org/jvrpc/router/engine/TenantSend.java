package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.engine.memory.PushIn;
import org.jvrpc.softrnic.memory.LkeyLookup;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.rc.Delivery;
import org.jvrpc.softrnic.rc.Pieces;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.softrnic.rc.WqeExecutor;
import org.jvrpc.softrnic.router.wire.SubmitRing;
import org.jvrpc.verbs.WcStatus;

/**
 * Executes the send queue of a tenant's RC QP. Each WQE is copied whole, once, to memory that no tenant can name, and
 * executed there: what its owner writes to the ring meanwhile changes nothing. Where the ring ends is the router's own
 * knowledge; the producer is the tenant's word, and believed within the ring. The worker's thread.
 */
final class TenantSend extends SendQueue {

    /** All that was rung is done. */
    static final int DONE = 0;
    /** There is more to do, now. */
    static final int MORE = 1;
    /** The peer is not ready to receive: again at {@link #againNs}. */
    static final int STALLED = 2;

    /** The most bytes that are copied without a look at what else there is to do. */
    static final int PIECE_BYTES = 64 << 10;
    private static final int COPY_BLOCKS = 16;
    private static final int COPY_BYTES = COPY_BLOCKS * Wqe.BLOCK;
    /** A receiver that is not ready is looked at no oftener, whatever its sender says. */
    private static final long LEAST_RETRY_NS = 10_000;
    /** Nor more seldom: the longest RNR timer there is. */
    private static final long MOST_RETRY_NS = 655_360_000;

    private final ByteBuffer ringMemory;
    private final int ring;
    private final int ringMask;
    private final int entries;
    /** The WQE at hand. */
    private final ByteBuffer wqe = ByteBuffer.allocateDirect(COPY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final WqeExecutor executor;
    private final Pieces pieces;
    private final DataSegments data;
    private final int rnrRetry;
    private final long retryNs;
    private final LongSupplier clock;
    private final Delivery delivery = new Delivery();
    /** Null for a QP without a submit ring. */
    private final PushIn pushes;
    private Responder peer;
    /** Null unless the peer is on another host. */
    private RemoteEnd remote;
    /** What its owner submits cannot be. */
    private boolean faulty;
    private boolean fetched;
    /** In the middle of something that is not to be done twice. */
    private boolean atWork;
    private long control;
    private long flags;
    private int blocks;
    /** Of a WQE that goes piece by piece, else 0. */
    private long total;
    private long done;
    private long againNs;

    /** @param ring offset of the send ring in its memory */
    TenantSend(TenantQp qp, ByteBuffer ringMemory, int ring, int entries, int pd, LkeyLookup regions,
            CqWriter completions, PushIn pushes, int rnrRetry, long rnrTimerNs, LongSupplier clock) {
        super(qp, completions);
        this.ringMemory = ringMemory;
        this.ring = ring;
        this.entries = entries;
        this.ringMask = entries * Wqe.BLOCK - 1;
        this.pushes = pushes;
        this.retryNs = retryNs(rnrTimerNs);
        this.clock = clock;
        QueueMemory copy = new QueueMemory(wqe, 0, COPY_BLOCKS, Wqe.BLOCK, 0);
        this.data = new DataSegments(copy, pd, regions);
        this.rnrRetry = rnrRetry;
        this.executor = new WqeExecutor(copy, data, rnrRetry, clock);
        this.pieces = new Pieces(copy, data, executor);
    }

    /** Returns when a receiver that is not ready is looked at again, whatever its sender says. */
    static long retryNs(long rnrTimerNs) {
        return Math.min(MOST_RETRY_NS, Math.max(LEAST_RETRY_NS, rnrTimerNs));
    }

    void connect(Responder responder) {
        peer = responder;
        executor.connect(responder);
    }

    /** Sends to another host from now on. @param own the QP itself, as who sends to it sees it */
    RemoteEnd connectAway(Responder own) {
        remote = new RemoteEnd(qp, own, wqe, data, completions, rnrRetry, retryNs, Long.MAX_VALUE);
        return remote;
    }

    /** The peer is gone: nothing of it is touched any more. @param touch false when that is so already */
    void disconnect(boolean touch) {
        if (touch) {
            giveUp();
        }
        peer = null;
        atWork = false;
    }

    /** Gives up a receive that was taken for a message that will not be. */
    void giveUp() {
        if (peer != null) {
            peer.giveUp();
        }
    }

    @Override
    int entries() {
        return entries;
    }

    /** Returns true when a WQE was interrupted, so that nobody knows how much of it was done. */
    boolean isAtWork() {
        return atWork;
    }

    /** Returns true when a WQE was begun with, and has to wait. */
    boolean isAtHand() {
        return fetched;
    }

    @Override
    public long againNs() {
        return againNs;
    }

    @Override
    public int run(int wqes, long bytes) {
        long limit = movedBytes + bytes;
        if (remote != null && !qp.isRts()) {
            remote.flush();
        }
        for (int left = wqes; left > 0 && movedBytes < limit; left--) {
            if (!fetched && !next()) {
                attempts += left == wqes ? 1 : 0; // to be looked at in vain is not free
                return DONE;
            }
            attempts++;
            if (fetched && !runFetched()) {
                if (remote != null) {
                    return DONE; // the way tells when it can go on
                }
                againNs = clock.getAsLong() + retryNs;
                return STALLED;
            }
        }
        return MORE;
    }

    /** Executes the WQE at hand, or a piece of it; false when the peer is not ready for it. */
    private boolean runFetched() {
        atWork = true;
        boolean goesOn = runNow();
        atWork = false;
        return goesOn;
    }

    private boolean runNow() {
        if (!qp.isRts()) {
            giveUp();
            completions.fail(executed, Cqe.REQ_ERR, WcStatus.WR_FLUSH_ERR, 0);
        } else {
            WcStatus status = execute();
            if (status == null) {
                return false;
            }
            if (status == WcStatus.SUCCESS && (done < total || remote != null && remote.hasMore())) {
                return true;
            }
            if (remote == null || !remote.isUnderWay()) {
                complete(status);
            }
        }
        executed += Math.min(blocks, Math.max(1, producer - executed));
        if (executed - producer > 0) {
            producer = executed; // it was a message of the submit ring
        }
        executor.begin();
        fetched = false;
        return true;
    }

    /**
     * Delivers the next message of the submit ring, or has the next WQE at hand; false when there is nothing. Both are
     * in the order of their numbers.
     */
    private boolean next() {
        if (pushes != null && !faulty) {
            if (executed == producer && pushes.isRung()) { // before the look: it shows all messages that were rung for
                faulty = !ring(pushes.takeRung());
            }
            if (!faulty && pushes.look()) {
                int ahead = pushes.producer() - executed;
                if (!pushes.isMessage() || ahead < 0 || ahead > entries || pushes.length() < 1
                        || pushes.length() > SubmitRing.MAX_MESSAGE) {
                    faulty = true;
                } else if (ahead == 0) {
                    push(pushes.length());
                    return true;
                } // else it comes behind what is in the ring of WQEs
            }
            if (faulty) {
                qp.toFault();
            }
        }
        if (executed == producer) {
            return false;
        }
        fetch();
        return true;
    }

    /** Returns true when something in the submit ring is worth a look. */
    boolean hasSubmitted() {
        return pushes != null && !faulty && (pushes.look() || pushes.isRung());
    }

    /** Delivers a message, which is read once; else has a WQE of it at hand, which says what is the matter. */
    private void push(int length) {
        atWork = true;
        if (peer != null && qp.isRts() && delivery.deliver(peer, pushes.memory(), pushes.message(), length)) {
            executed++;
            producer = executed - producer > 0 ? executed : producer;
            movedBytes += length;
        } else {
            int segments = 1 + (4 + length + Wqe.SEGMENT - 1) / Wqe.SEGMENT;
            control = (long) Wqe.opmodIndexOpcode(0, executed & 0xffff, Wqe.SEND) << 32 | segments;
            flags = 0;
            BigEndian.putInt(wqe, Wqe.SEGMENT, Wqe.INLINE | length);
            wqe.put(Wqe.SEGMENT + 4, pushes.memory(), pushes.message(), length);
            blocks = 1;
            total = 0;
            done = 0;
            fetched = true;
        }
        pushes.take();
        atWork = false;
    }

    /** Copies the WQE; nothing of it is read in the ring again. */
    private void fetch() {
        int at = executed * Wqe.BLOCK & ringMask;
        copyBlock(at, 0);
        control = BigEndian.getLong(wqe, 0);
        flags = BigEndian.getLong(wqe, 8);
        int segments = Wqe.segments((int) control);
        blocks = Math.max(1, Wqe.blocks(segments));
        boolean whole = segments > 0 && blocks <= producer - executed;
        for (int i = 1; whole && i < blocks; i++) {
            copyBlock(at + i * Wqe.BLOCK & ringMask, i * Wqe.BLOCK);
        }
        total = whole ? pieces.bytes(0, control) : -1;
        if (total > 0 && (total <= PIECE_BYTES || remote != null)) {
            total = 0;
        }
        done = 0;
        fetched = true;
    }

    private void copyBlock(int from, int to) {
        wqe.put(to, ringMemory, ring + from, Wqe.BLOCK);
    }

    private WcStatus execute() {
        if (remote != null) {
            WcStatus status = remote.execute(executed, control, flags, total < 0);
            movedBytes += remote.takeMoved();
            return status;
        }
        if (total < 0) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        if (peer == null) {
            return WcStatus.RETRY_EXC_ERR;
        }
        if (total == 0) {
            WcStatus status = executor.execute(0, control, flags);
            movedBytes += status == WcStatus.SUCCESS ? executor.bytes() : 0;
            return status;
        }
        int piece = (int) Math.min(PIECE_BYTES, total - done);
        WcStatus status = pieces.execute(0, control, flags, done, piece);
        if (status == WcStatus.SUCCESS) {
            done += piece;
            movedBytes += piece;
        }
        return status;
    }

    private void complete(WcStatus status) {
        if (status == WcStatus.SUCCESS) {
            succeeds(control, flags, total > 0 ? (int) total : (int) data.list().total());
            return;
        }
        giveUp();
        fails(status);
        if (status == WcStatus.REM_ACCESS_ERR) {
            qp.device().told().accessRefused();
        }
        tell();
    }
}
