package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemotePath;
import org.jvrpc.router.RemoteWork;
import org.jvrpc.router.engine.sent.SentWqes;
import org.jvrpc.softrnic.memory.LateFaults;
import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.softrnic.rc.Arrivals;
import org.jvrpc.softrnic.rc.DirectArrivals;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/**
 * A QP whose peer is on another host. What it sends is copied to messages of the path at once, and complete when word
 * comes that the peer has it; a READ or an atomic holds up what is behind it. The worker's thread.
 */
class RemoteEnd implements RemotePath.Local, RemoteWork {

    private static final int TURN_PIECES = 8;

    final TenantQp qp;
    final Arrivals arrivals;
    private final DirectArrivals direct;
    final ByteBuffer wqe;
    final DataSegments data;
    final CqWriter completions;
    /** Those under way; the WQE at hand is the last of them once a part of it is. */
    final SentWqes wqes = new SentWqes();
    private final int rnrRetry;
    private final long rnrTimerNs;
    private final long mostBytes;
    private RemotePath.Way way;

    // The WQE at hand.
    private int opcode;
    private long flags;
    /** A part of it is under way: the last of those that are. */
    private boolean begun;
    private long sent;
    /** All of it is, and it waits for what it brings. */
    private boolean asks;
    /** Bytes that went directly last. */
    private int directly;
    /** The rest of it goes by copies. */
    private boolean copies;
    private WcStatus verdict;
    private boolean underWay;
    private boolean more;
    private long moved;

    /** @param own the QP, as who sends to it sees it @param wqe the WQE at hand @param mostBytes a longer one fails */
    RemoteEnd(TenantQp qp, Responder own, ByteBuffer wqe, DataSegments data, CqWriter completions, int rnrRetry,
            long rnrTimerNs, long mostBytes) {
        this.mostBytes = mostBytes;
        this.qp = qp;
        this.arrivals = new Arrivals(own);
        this.direct = new DirectArrivals(own, arrivals);
        this.wqe = wqe;
        this.data = data;
        this.completions = completions;
        this.rnrRetry = rnrRetry;
        this.rnrTimerNs = rnrTimerNs;
    }

    void begin(RemotePath.Way made) {
        way = made;
    }

    // What the send queue asks for.

    /**
     * Executes the WQE at hand, or a part of it.
     *
     * @return null when it has to wait: the worker is told when it need not
     */
    WcStatus execute(int counter, long control, long word, boolean malformed) {
        underWay = false;
        more = false;
        flags = word;
        if (verdict != null) {
            return verdict();
        }
        if (asks) {
            return null;
        }
        opcode = Wqe.opcode((int) (control >>> 32));
        WcStatus status = malformed ? WcStatus.LOC_QP_OP_ERR : collect((int) (control >>> 32), (int) control);
        if (status != WcStatus.SUCCESS || opcode == Wqe.NOP) {
            return isOldest() ? status : null; // it completes behind them
        }
        return send(counter);
    }

    /** Tells whether nothing is under way but, perhaps, a part of the WQE at hand. */
    private boolean isOldest() {
        return wqes.isEmpty() || begun && wqes.count() == 1;
    }

    private WcStatus verdict() {
        WcStatus status = verdict;
        verdict = null;
        if (begun && !wqes.isEmpty()) {
            wqes.dropLast(); // it is told by the send queue
        }
        begun = false;
        asks = false;
        copies = false;
        sent = 0;
        return status;
    }

    private WcStatus collect(int word, int segments) {
        boolean brings = brings();
        boolean known = opcode == Wqe.SEND || opcode == Wqe.SEND_IMM || opcode == Wqe.RDMA_WRITE
                || opcode == Wqe.RDMA_WRITE_IMM || brings;
        if (opcode == Wqe.NOP) {
            data.list().clear();
            return WcStatus.SUCCESS;
        }
        if (!known || Wqe.opmod(word) != 0) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        int offset = opcode == Wqe.RDMA_READ ? 2 * Wqe.SEGMENT : Wqe.dataOffset(opcode);
        WcStatus status = data.collect(0, offset, Wqe.segments(segments), brings ? Access.LOCAL_WRITE : 0);
        boolean tooLong = data.list().total() > mostBytes;
        boolean odd = brings && opcode != Wqe.RDMA_READ && !data.list().isOneLong();
        return status != WcStatus.SUCCESS ? status
                : odd ? WcStatus.LOC_QP_OP_ERR : tooLong ? WcStatus.LOC_LEN_ERR : status;
    }

    private boolean brings() {
        return opcode == Wqe.RDMA_READ || Wqe.dataOffset(opcode) >= 3 * Wqe.SEGMENT;
    }

    private WcStatus send(int counter) {
        long total = data.list().total();
        int pieces = 0;
        do {
            int direct = copies ? 0 : way.mostDirect(this, sent);
            int piece = direct > 0 ? direct : (int) Math.min(way.most(), total - sent);
            if (direct < 0 || !way.send(this, sent, piece)) {
                return null;
            }
            if (!begun) {
                begun = true;
                wqes.add(counter, opcode, (int) total, Wqe.isSignalled(flags));
            }
            sent += piece;
            moved += piece;
            if (direct > 0) {
                directly = piece;
                asks = true;
                return null;
            }
        } while (sent < total && ++pieces < TURN_PIECES);
        if (sent < total) {
            more = true;
            return WcStatus.SUCCESS;
        }
        if (brings()) {
            asks = true;
            return null;
        }
        begun = false;
        copies = false;
        sent = 0;
        underWay = true;
        return WcStatus.SUCCESS;
    }

    boolean hasMore() {
        return more;
    }

    /** Returns whether what was executed last is complete later, by itself. */
    boolean isUnderWay() {
        return underWay;
    }

    long takeMoved() {
        long bytes = moved;
        moved = 0;
        return bytes;
    }

    /** The QP is in ERR: its owner may use its memory as soon as it knows. */
    void halt() {
        way.halt();
    }

    /** The WQE at hand has ended, which its owner knows. */
    final void forgetAtHand() {
        begun = false;
        asks = false;
        copies = false;
        sent = 0;
        verdict = null;
    }

    /** Tells whether a part of the WQE at hand, or all of it, is under way and is told of by itself. */
    final boolean isBegun() {
        return begun;
    }

    final void end() {
        arrivals.giveUp(); // of a message that came in part
        way.end();
    }

    /** The QP is in ERR: completes what is under way but the WQE at hand, and has nothing more come. */
    void flush() {
        way.halt();
        verdict();
        wqes.flush(completions);
        end();
    }

    /** Ends it; nothing is told any more. @param touch false when the tenant's memory is not there */
    void close(boolean touch) {
        way.end();
        if (touch) {
            arrivals.giveUp();
        }
    }

    // What the path asks for.

    @Override
    public int opcode() {
        return opcode;
    }

    @Override
    public boolean isSignalled() {
        return Wqe.isSignalled(flags);
    }

    @Override
    public int immediate() {
        return (int) flags;
    }

    @Override
    public long remoteAddress() {
        return BigEndian.getLong(wqe, Wqe.REMOTE);
    }

    @Override
    public int rkey() {
        return BigEndian.getInt(wqe, Wqe.REMOTE + 8);
    }

    @Override
    public long operand(int i) {
        return BigEndian.getLong(wqe, Wqe.ATOMIC + i * Long.BYTES);
    }

    @Override
    public GatherList data() {
        return data.list();
    }

    @Override
    public long total() {
        return data.list().total();
    }

    @Override
    public Object owner() {
        return qp.device().tenant().id();
    }

    @Override
    public int rnrRetry() {
        return rnrRetry;
    }

    @Override
    public long rnrTimerNs() {
        return rnrTimerNs;
    }

    @Override
    public void again() {
        qp.device().worker().ready(qp);
    }

    @Override
    public void failed() {
        touch();
        if (qp.isRts() && qp.send().isAtHand()) {
            verdict = WcStatus.RETRY_EXC_ERR;
        } else {
            qp.send().toError();
        }
        again();
        touched();
    }

    @Override
    public void touched() {
        LateFaults.tell(); // here, not in the midst of what lanes do for others
    }

    @Override
    public void completed(WcStatus status) {
        if (wqes.isEmpty()) {
            return;
        }
        touch();
        boolean atHand = begun && wqes.count() == 1;
        if (atHand) {
            wqes.dropFirst();
            verdict = status;
        } else if (status != WcStatus.SUCCESS) {
            qp.toError(); // before its owner can see why
            wqes.fail(completions, status);
            if (status == WcStatus.REM_ACCESS_ERR) {
                qp.device().told().accessRefused();
            }
            qp.send().tell();
        } else if (!wqes.succeed(completions)) {
            qp.send().toError();
        }
        if (atHand || isOldest() || !qp.isRts()) {
            again();
        }
        touched();
    }

    @Override
    public boolean answer(long skip, ByteBuffer from, int at, int bytes) {
        touch();
        boolean read = opcode == Wqe.RDMA_READ;
        int offset = read ? 2 * Wqe.SEGMENT : Wqe.dataOffset(opcode);
        int segments = Wqe.segments((int) BigEndian.getLong(wqe, 0));
        if (!begun || data.collect(0, offset, segments, Access.LOCAL_WRITE) != WcStatus.SUCCESS
                || skip + bytes > data.list().total()) {
            return false;
        }
        if (!read) {
            data.list().putLong(from.getLong(at));
        } else if (bytes > 0) {
            data.list().scatter(skip, from, at, bytes);
        }
        touched();
        return true;
    }

    /** Its memory is about to be touched. */
    final void touch() {
        qp.device().worker().touch(qp.device());
    }

    @Override
    public boolean isConnecting() {
        return arrivals.isConnecting();
    }

    @Override
    public WcStatus arrive(int code, int immediate, int rkey, long address, long total, long skip, ByteBuffer from,
            int at, int bytes) {
        touch();
        return told(arrivals.arrive(code, immediate, rkey, address, total, skip, from, at, bytes));
    }

    @Override
    public WcStatus read(int rkey, long address, ByteBuffer to, int at, int bytes) {
        touch();
        return told(arrivals.read(rkey, address, to, at, bytes));
    }

    @Override
    public WcStatus atomic(int code, int rkey, long address, long[] operands, long[] found) {
        touch();
        return told(arrivals.atomic(code, rkey, address, operands, found));
    }

    @Override
    public void wentDirectly(boolean came) {
        asks = false;
        if (!came) {
            sent -= directly;
            copies = true;
        }
        again();
    }

    @Override
    public void target(long skip, int bytes, MemoryRange range) {
        range.none();
        int segments = Wqe.segments((int) BigEndian.getLong(wqe, 0));
        if (begun && opcode == Wqe.RDMA_READ
                && data.collect(0, 2 * Wqe.SEGMENT, segments, Access.LOCAL_WRITE) == WcStatus.SUCCESS) {
            data.list().find(skip, bytes, range);
        }
    }

    @Override
    public WcStatus place(int code, int rkey, long address, long total, long skip, int bytes, MemoryRange range) {
        touch();
        return told(direct.place(code, rkey, address, total, skip, bytes, range));
    }

    @Override
    public WcStatus placed(int code, int immediate, long total, long skip, int bytes) {
        touch();
        return told(direct.placed(code, immediate, total, skip, bytes));
    }

    @Override
    public WcStatus source(int rkey, long address, int bytes, MemoryRange range) {
        return told(direct.source(rkey, address, bytes, range));
    }

    /** What fails here fails this QP, too: what it has under way is flushed. */
    private WcStatus told(WcStatus status) {
        touched();
        if (status != null && status != WcStatus.SUCCESS) {
            again();
        }
        return status;
    }

    @Override
    public void vanished(InternalError e) {
        qp.device().worker().missing().vanished(qp, e, true);
    }
}
