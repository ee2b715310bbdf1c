package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;

/** A QP and a CQ over plain memory, with nobody who consumes: tests read and write the rings as the device would. */
final class Rings {

    static final int QPN = 0x012345;
    static final int SQ = 0x1000;
    static final int RQ = 0x9000;
    static final int CQ = 0xb000;
    static final int QP_RECORD = 0xf000;
    static final int CQ_RECORD = 0xf040;

    final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16);
    final byte[] local = new byte[1024];
    final List<Integer> rung = new ArrayList<>();
    /** The send counter of the doorbell record at the moment of each ring. */
    final List<String> recordAtRing = new ArrayList<>();
    final Mlx5CompletionQueue cq;
    final Mlx5QueuePair qp;

    Rings(int sendBlocks, int receiveEntries, int receiveSges, int cqEntries, int cqeBytes, boolean inPlace) {
        Cqe.initialize(memory, CQ, cqEntries, cqeBytes);
        cq = new Mlx5CompletionQueue(7, new CompletionQueueAttributes(cqEntries, cqeBytes, false, inPlace, null),
                new QueueMemory(memory, CQ, cqEntries, cqeBytes, CQ_RECORD), new QuietCq());
        QueuePairAttributes attributes = new QueuePairAttributes(cq, cq)
                .depth(sendBlocks, receiveEntries).sges(16, receiveSges).inline(256);
        int stride = Mlx5QueuePair.receiveStride(attributes);
        qp = new Mlx5QueuePair(QPN, attributes, new QueueMemory(memory, SQ, sendBlocks, 64, QP_RECORD),
                new QueueMemory(memory, RQ, receiveEntries, stride, QP_RECORD), this::ring, new ReadyQp(),
                new ArrayMemory());
        cq.attach(qp);
        cq.attach(qp);
        qp.init();
        qp.connect(new byte[0]);
    }

    static Rings usual() {
        return new Rings(16, 8, 4, 8, 64, false);
    }

    private void ring(int producer) {
        rung.add(producer);
        recordAtRing.add(hex(QP_RECORD, 8));
    }

    String hex(int offset, int length) {
        byte[] bytes = new byte[length];
        memory.get(offset, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    void expect(int offset, String hex) {
        String packed = hex.replace(" ", "");
        assertEquals(packed, hex(offset, packed.length() / 2), "at 0x" + Integer.toHexString(offset));
    }

    void put(int offset, String hex) {
        memory.put(offset, HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    /** A CQE that reports success of the WQE at a block index, in slot {@code ci} of a ring of 64-byte entries. */
    void succeed(int ci, int counter) {
        int entries = cq.depth();
        int at = CQ + (ci & entries - 1) * 64;
        put(at + 56, String.format("08%06x%04x00%02x", QPN, counter & 0xffff, (ci & entries) != 0 ? 1 : 0));
    }

    private static final class QuietCq implements CompletionQueueControl {

        @Override
        public void arm(int consumerIndex) {
        }

        @Override
        public void disarm() {
        }

        @Override
        public boolean alerted() {
            return false;
        }

        @Override
        public void progress() {
        }

        @Override
        public void close() {
        }
    }

    private static final class ReadyQp implements QueuePairControl {

        private QueuePairState state = QueuePairState.RESET;

        @Override
        public QueuePairState state() {
            return state;
        }

        @Override
        public void init() {
            state = QueuePairState.INIT;
        }

        @Override
        public byte[] endpoint() {
            return new byte[0];
        }

        @Override
        public void connect(byte[] remoteEndpoint) {
            state = QueuePairState.RTS;
        }

        @Override
        public void error() {
            state = QueuePairState.ERR;
        }

        @Override
        public void wakePeer() {
        }

        @Override
        public void failed() {
            state = QueuePairState.ERR;
        }

        @Override
        public void close() {
        }
    }

    /** Addresses are indices of {@link #local}; any key will do. */
    private final class ArrayMemory implements LocalMemory {

        @Override
        public boolean read(long address, int lkey, byte[] target, int offset, int length) {
            System.arraycopy(local, (int) address, target, offset, length);
            return true;
        }

        @Override
        public boolean write(long address, int lkey, ByteBuffer source, int offset, int length) {
            source.get(offset, local, (int) address, length);
            return true;
        }
    }
}
