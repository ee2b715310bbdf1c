package org.jvrpc.softrnic.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
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
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** A UD QP that sends, and one that receives, in one piece of memory, written by hand, without a device. */
abstract class DatagramMemory {

    static final int HEADER = 40;
    static final int PD = 5;
    static final int QKEY = 0x01020304;
    static final int SENDER = 0x123456;
    static final int RECEIVER = 0x654321;
    static final int CQES = 8;
    static final int RECEIVES = 4;
    static final int STRIDE = 64;
    static final int START = (int) ArenaHeader.BYTES;
    static final int SENDER_QP = START;
    static final int RECEIVER_QP = START + 1024;
    static final int SEND_CQ = START + 2048;
    static final int RECEIVE_CQ = START + 3072;
    static final int SENT = START + 4096;
    static final int RECEIVED = SENT + 8192;
    static final int BYTES = 8192;
    static final int TABLE = RECEIVED + BYTES;
    static final int END = TABLE + (int) DatagramTable.BYTES;

    final ByteBuffer memory = ByteBuffer.allocateDirect(END + 128).alignedSlice(128).slice(0, END)
            .order(ByteOrder.LITTLE_ENDIAN);
    final Slab slab = Slab.wrap(memory, 0);
    Runnable whenLookedAt = () -> { };
    final AddressSpace space = new AddressSpace() {

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
            closed++;
        }
    };
    final RegionTable regions = OneSlab.regions(memory);
    final LocalRegion from = region(SENT, PD);
    final LocalRegion to = region(RECEIVED, PD);
    final LocalRegion others = region(RECEIVED, PD + 1);
    final DatagramTable table = new DatagramTable(space, bytes -> address(TABLE));
    final DatagramRoutes routes = new DatagramRoutes();
    final HandMadeQueuePair own = new HandMadeQueuePair(memory, slab.base(), SENDER_QP, SENDER, PD, regions);
    int woken;
    int closed;
    final DatagramRoute route = routes.open(PD, "d-1-a", space, () -> () -> woken++);
    private int polledSends;
    private int polledReceives;

    private LocalRegion region(int at, int pd) {
        LocalRegion region = new LocalRegion(
                regions.claim(), pd, Access.LOCAL_WRITE, slab, address(at), BYTES, true);
        regions.publish(region);
        return region;
    }

    long address(int at) {
        return slab.base() + at;
    }

    /** Writes both QPs and enters the receiver in the table. */
    DatagramEngine make() {
        for (int i = 0; i < BYTES; i++) {
            memory.put(SENT + i, (byte) (i % 251 + 1));
        }
        Cqe.initialize(memory, SEND_CQ + CqContext.RING, CQES, 64);
        CqContext.write(memory, SEND_CQ, 1, CQES, 64, false, false);
        Cqe.initialize(memory, RECEIVE_CQ + CqContext.RING, CQES, 64);
        CqContext.write(memory, RECEIVE_CQ, 2, CQES, 64, false, false);
        QpContext.write(memory, SENDER_QP, SENDER, PD, 1, 16, address(SEND_CQ));
        DatagramContext.write(memory, RECEIVER_QP, QKEY);
        QpContext.write(memory, RECEIVER_QP, RECEIVER, PD, RECEIVES, STRIDE, address(RECEIVE_CQ));
        state(SENDER_QP, QueuePairState.RTS);
        state(RECEIVER_QP, QueuePairState.RTS);
        table.add(RECEIVER, address(RECEIVER_QP));
        return new DatagramEngine(own, routes, new CqWriter(slab, address(SEND_CQ), SENDER, () -> { }, false));
    }

    DatagramTarget target() {
        return new DatagramTarget(space, address(RECEIVER_QP), () -> woken++);
    }

    void state(int qp, QueuePairState state) {
        QpContext.advance(memory, qp, QpContext.state(memory, qp), state);
    }

    QueuePairState state(int qp) {
        return QpContext.state(memory, qp);
    }

    static int receiveWqe(int index) {
        return RECEIVER_QP + QpContext.RINGS + index % RECEIVES * STRIDE;
    }

    void segment(int at, int length, int key, long address) {
        BigEndian.putLong(memory, at, (long) length << 32 | key);
        BigEndian.putLong(memory, at + 8, address);
    }

    /** A receive of pieces that lie at multiples of 256 of the receiver's memory. */
    void receive(int index, int... lengths) {
        int wqe = receiveWqe(index);
        for (int i = 0; i < lengths.length; i++) {
            segment(wqe + 16 * i, lengths[i], to.key(), to.address() + 256 * i);
        }
        if (lengths.length < STRIDE / 16) {
            segment(wqe + 16 * lengths.length, 0, Wqe.END_LKEY, 0);
        }
        posted(index + 1);
    }

    void posted(int count) {
        BigEndian.putIntRelease(memory, RECEIVER_QP + QpContext.RECORD + DoorbellRecord.RECEIVE, count);
    }

    /** Writes a datagram to a block of the send ring; with one piece it has two blocks. */
    void load(int block, int opcode, long flags, DatagramRoute way, int qpn, int qkey, int... lengths) {
        long[] words = new long[8 + 2 * lengths.length];
        words[0] = (long) Wqe.opmodIndexOpcode(0, 0, opcode) << 32 | (long) SENDER << 8 | 4 + lengths.length;
        words[1] = flags;
        words[2] = (long) qkey << 32;
        words[3] = (long) (qpn | AddressVector.EXTENDED) << 32 | way.index();
        words[6] = way.gidHigh();
        words[7] = way.gidLow();
        for (int i = 0, at = SENT; i < lengths.length; at += lengths[i++]) {
            words[8 + 2 * i] = (long) lengths[i] << 32 | from.key();
            words[9 + 2 * i] = address(at);
        }
        for (int i = 0; i < words.length; i++) {
            put(block, i, words[i]);
        }
    }

    void put(int block, int word, long value) {
        int at = block * Wqe.BLOCK + 8 * word & HandMadeQueuePair.BLOCKS * Wqe.BLOCK - 1;
        BigEndian.putLong(memory, own.sends.ring() + at, value);
    }

    void load(int block, int... lengths) {
        load(block, Wqe.SEND, signalled(), route, RECEIVER, QKEY, lengths);
    }

    static long signalled() {
        return (long) Wqe.CE_ALWAYS << 32;
    }

    int dropped(DatagramContext.Drop why) {
        int all = Arrays.stream(DatagramContext.Drop.values())
                .mapToInt(drop -> DatagramContext.dropped(memory, RECEIVER_QP, drop)).sum();
        int count = DatagramContext.dropped(memory, RECEIVER_QP, why);
        assertEquals(all, count, "drops for another reason");
        return count;
    }

    int expectSent(WcStatus status) {
        return expect(SEND_CQ, polledSends++, status);
    }

    int expectReceived(WcStatus status) {
        return expect(RECEIVE_CQ, polledReceives++, status);
    }

    void expectNothingMore() {
        assertEquals(false, isComplete(SEND_CQ, polledSends), "a completion of a send more");
        assertEquals(false, isComplete(RECEIVE_CQ, polledReceives), "a completion of a receive more");
        assertEquals(0, DatagramContext.claimant(memory, RECEIVER_QP), "the claim is let go");
    }

    /** Says that all completions were polled. */
    void consume() {
        BigEndian.putIntRelease(memory, SEND_CQ + CqContext.RECORD + DoorbellRecord.CONSUMER, polledSends);
        BigEndian.putIntRelease(memory, RECEIVE_CQ + CqContext.RECORD + DoorbellRecord.CONSUMER, polledReceives);
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
        int opcode = opcode(at);
        boolean failed = opcode == Cqe.REQ_ERR || opcode == Cqe.RESP_ERR;
        assertEquals(status, failed ? Syndrome.status(memory.get(at + Cqe.SYNDROME)) : WcStatus.SUCCESS, what);
        return at;
    }

    int opcode(int cqe) {
        return Cqe.opcode(BigEndian.getLong(memory, cqe + Cqe.TAIL));
    }

    int byteCount(int cqe) {
        return BigEndian.getInt(memory, cqe + Cqe.BYTE_COUNT);
    }

    int consumed() {
        return DatagramContext.consumed(DatagramContext.hand(memory, RECEIVER_QP));
    }
}
