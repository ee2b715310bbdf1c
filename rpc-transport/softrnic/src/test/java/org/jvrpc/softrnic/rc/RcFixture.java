package org.jvrpc.softrnic.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.SharedReceiveWqe;
import org.jvrpc.mlx5.Syndrome;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.LocalRegion;
import org.jvrpc.softrnic.memory.OneSlab;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.HandMadeQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SrqContext;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** A QP and its peer in one piece of memory, written by hand, without a device. One thread unless a test says so. */
abstract class RcFixture {

    static final int PD = 5;
    /** The domain of the SRQ. */
    static final int OTHER_PD = 6;
    static final int QPN = 0x123456;
    static final int PEER = 0x654321;
    static final int SRQN = 0x77;
    static final int CQES = 8;
    static final int RECEIVES = 4;
    static final int STRIDE = 64;
    static final int START = (int) ArenaHeader.BYTES;
    static final int QP = START;
    static final int PEER_QP = START + 1024;
    static final int SEND_CQ = START + 2048;
    static final int RECEIVE_CQ = START + 3072;
    static final int SRQ = START + 4096;
    static final int DATA = START + 5120;
    static final int DATA_BYTES = 1024;
    static final int END = DATA + 3 * DATA_BYTES + 128;

    final ByteBuffer memory = ByteBuffer.allocateDirect(END + 128).alignedSlice(128).slice(0, END)
            .order(ByteOrder.LITTLE_ENDIAN);
    final Slab slab = Slab.wrap(memory, 0);
    final RegionTable regions = OneSlab.regions(memory);
    final LocalRegion from = region(0, PD);
    final LocalRegion to = region(1, PD);
    final LocalRegion others = region(2, OTHER_PD);
    final Space space = new Space();
    final HandMadeQueuePair own = new HandMadeQueuePair(memory, slab.base(), QP, QPN, PD, regions);
    int woken;
    long nowNs = Long.MAX_VALUE - 1_000_000_000; // it comes round
    Runnable whenTheTimeIsAsked = () -> { };
    private int polledSends;
    private int polledReceives;

    /** The peer's memory. */
    final class Space implements AddressSpace {

        Runnable whenLookedAt = () -> { };

        @Override
        public Slab find(long address, long bytes) {
            whenLookedAt.run();
            return slab.contains(address, bytes) ? slab : null;
        }

        @Override
        public String place() {
            return "test";
        }

        @Override
        public void close() {
        }
    }

    private LocalRegion region(int number, int pd) {
        LocalRegion region = new LocalRegion(regions.claim(), pd,
                Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC, slab,
                address(DATA + number * DATA_BYTES), DATA_BYTES, true);
        regions.publish(region);
        return region;
    }

    long address(int at) {
        return slab.base() + at;
    }

    /** Writes both ends; the peer takes its receives from the SRQ or has its own. */
    Engine make(boolean shared, int rnrRetry, long timerNs) {
        Cqe.initialize(memory, SEND_CQ + CqContext.RING, CQES, 64);
        CqContext.write(memory, SEND_CQ, 1, CQES, 64, false, false);
        Cqe.initialize(memory, RECEIVE_CQ + CqContext.RING, CQES, 64);
        CqContext.write(memory, RECEIVE_CQ, 2, CQES, 64, false, false);
        QpContext.write(memory, QP, QPN, PD, 1, 16, address(SEND_CQ));
        if (shared) {
            for (int i = 0; i < RECEIVES; i++) {
                BigEndian.putShort(memory, srqWqe(i) + SharedReceiveWqe.NEXT, i + 1);
            }
            SrqContext.write(memory, SRQ, SRQN, OTHER_PD, RECEIVES, STRIDE);
            QpContext.share(memory, PEER_QP, address(SRQ));
        }
        QpContext.write(memory, PEER_QP, PEER, PD, shared ? 1 : RECEIVES, shared ? 16 : STRIDE, address(RECEIVE_CQ));
        state(QP, QueuePairState.RTS);
        state(PEER_QP, QueuePairState.RTS);
        own.attributes.rnr(rnrRetry, timerNs);
        return new Engine(own, new CqWriter(slab, address(SEND_CQ), QPN, () -> { }, false), () -> {
            whenTheTimeIsAsked.run();
            return nowNs;
        });
    }

    Engine make() {
        Engine engine = make(false, QueuePairAttributes.RNR_RETRY_FOREVER, 1000);
        engine.connect(peer());
        return engine;
    }

    /** As the initiator sees it, whose wake-ups are lazy. */
    Responder peer() {
        return Responder.of(space, address(PEER_QP), () -> woken++, true);
    }

    void state(int qp, QueuePairState state) {
        QpContext.advance(memory, qp, QpContext.state(memory, qp), state);
    }

    QueuePairState state(int qp) {
        return QpContext.state(memory, qp);
    }

    static int receiveWqe(int index) {
        return PEER_QP + QpContext.RINGS + index * STRIDE;
    }

    static int srqWqe(int index) {
        return SRQ + SrqContext.ring(RECEIVES) + index * STRIDE;
    }

    void segment(int at, int length, int key, long address) {
        BigEndian.putLong(memory, at, (long) length << 32 | key);
        BigEndian.putLong(memory, at + 8, address);
    }

    /** Pieces of the receiver's memory, each {@code lengths[i]} bytes at {@code 100 * i}, then the end. */
    void pieces(int wqe, LocalRegion region, int... lengths) {
        for (int i = 0; i < lengths.length; i++) {
            segment(wqe + 16 * i, lengths[i], region.key(), region.address() + 100 * i);
        }
        if (lengths.length < 4) {
            segment(wqe + 16 * lengths.length, 0, Wqe.END_LKEY, 0);
        }
    }

    /** Says how many receives were posted. */
    void posted(int count) {
        BigEndian.putIntRelease(memory, PEER_QP + QpContext.RECORD + DoorbellRecord.RECEIVE, count);
        BigEndian.putIntRelease(memory, SRQ + SrqContext.RECORD + DoorbellRecord.RECEIVE, count);
    }

    static long control(int opmod, int opcode, int segments) {
        return (long) Wqe.opmodIndexOpcode(opmod, 0, opcode) << 32 | (long) QPN << 8 | segments;
    }

    static long signalled() {
        return (long) Wqe.CE_ALWAYS << 32;
    }

    /** Writes a WQE to a block of the send ring. */
    void load(int block, long... words) {
        for (int i = 0; i < words.length; i++) {
            BigEndian.putLong(memory, own.sends.ring() + block * Wqe.BLOCK + 8 * i, words[i]);
        }
    }

    long sge(int length) {
        return (long) length << 32 | from.key();
    }

    /** The words of a SEND of so many bytes. */
    long[] send(int length, long flags) {
        return new long[] {control(0, Wqe.SEND, 2), flags, sge(length), from.address(), 0, 0, 0, 0};
    }

    void expectSent(WcStatus status) {
        expect(SEND_CQ, polledSends++, status);
    }

    /** Returns where the CQE lies. */
    int expectReceived(WcStatus status) {
        return expect(RECEIVE_CQ, polledReceives++, status);
    }

    void expectNothingMore() {
        assertEquals(false, isComplete(SEND_CQ, polledSends), "a completion of a send more");
        assertEquals(false, isComplete(RECEIVE_CQ, polledReceives), "a completion of a receive more");
    }

    private boolean isComplete(int cq, int index) {
        long tail = BigEndian.getLongAcquire(memory, cqe(cq, index) + Cqe.TAIL);
        return Cqe.opcode(tail) != Cqe.INVALID && Cqe.lap(tail) == index / CQES;
    }

    static int cqe(int cq, int index) {
        return cq + CqContext.RING + index % CQES * 64;
    }

    private int expect(int cq, int index, WcStatus status) {
        String what = (cq == SEND_CQ ? "send " : "receive ") + index;
        assertEquals(true, isComplete(cq, index), what + " is not complete");
        int at = cqe(cq, index);
        int opcode = Cqe.opcode(BigEndian.getLong(memory, at + Cqe.TAIL));
        boolean failed = opcode == Cqe.REQ_ERR || opcode == Cqe.RESP_ERR;
        assertEquals(status, failed ? Syndrome.status(memory.get(at + Cqe.SYNDROME)) : WcStatus.SUCCESS, what);
        return at;
    }

    boolean hasAttention(int cq) {
        return (CqContext.flags(memory, cq) & CqContext.ATTENTION) != 0;
    }
}
