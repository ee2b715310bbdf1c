package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;

/** A QP and a CQ over plain memory, with nobody who consumes: tests read and write the rings as the device would. */
final class Rings {

    static final int QPN = 0x012345;
    static final int SQ = 0x1000;
    static final int RQ = 0x9000;
    static final int CQ = 0xb000;
    static final int QP_RECORD = 0xf000;
    static final int CQ_RECORD = 0xf040;
    static final int SRQ_RECORD = 0xf080;
    static final int SRQN = 0x000abc;
    static final int QKEY = 0x11223344;

    static final int BYTES = 1 << 16;

    final ByteBuffer memory;
    final byte[] local = new byte[1024];
    /** Runs when the driver is about to write to {@link #local}. */
    Runnable onLocalWrite = () -> { };
    /** Runs when the doorbell of the send queue is rung. */
    Runnable onRing = () -> { };
    final List<Integer> rung = new ArrayList<>();
    /** The send counter of the doorbell record at the moment of each ring. */
    final List<String> recordAtRing = new ArrayList<>();
    /** What each ring said of the last WQE. */
    final List<String> lastWqe = new ArrayList<>();
    /** Runs when the driver asks whether the device, or a peer's, wants to go on. */
    Runnable onAlertedAsked = () -> { };
    /** Runs when the device is to go on. */
    Runnable onProgress = () -> { };
    /** True to refuse each address and key. */
    boolean refuses;
    /** True to take WQEs from the doorbell; their words. */
    boolean pushes;
    final List<String> pushed = new ArrayList<>();
    final List<String> closed = new ArrayList<>();
    final Mlx5CompletionQueue cq;
    final Mlx5QueuePair qp;
    final Mlx5SharedReceiveQueue srq;

    Rings(int sendBlocks, int receiveEntries, int receiveSges, int cqEntries, int cqeBytes, boolean inPlace) {
        this(ByteBuffer.allocateDirect(BYTES), sendBlocks, receiveEntries, receiveSges, cqEntries, cqeBytes, inPlace, 0,
                false);
    }

    private Rings(ByteBuffer memory, int sendBlocks, int receiveEntries, int receiveSges, int cqEntries, int cqeBytes,
            boolean inPlace, int sharedEntries, boolean datagrams) {
        this.memory = memory;
        Cqe.initialize(memory, CQ, cqEntries, cqeBytes);
        cq = new Mlx5CompletionQueue(7, new CompletionQueueAttributes(cqEntries, cqeBytes, false, inPlace, null),
                new QueueMemory(memory, CQ, cqEntries, cqeBytes, CQ_RECORD), new QuietCq());
        QueuePairAttributes attributes = new QueuePairAttributes(cq, cq)
                .depth(sendBlocks, receiveEntries).sges(16, receiveSges).inline(256);
        int stride = Mlx5QueuePair.receiveStride(attributes);
        if (sharedEntries > 0) {
            SharedReceiveQueueAttributes of = new SharedReceiveQueueAttributes(sharedEntries, receiveSges);
            srq = new Mlx5SharedReceiveQueue(SRQN, of, new QueueMemory(memory, RQ, Mlx5SharedReceiveQueue.entries(of),
                    Mlx5SharedReceiveQueue.stride(of), SRQ_RECORD), () -> closed.add("srq"),
                    new ArrayMemory());
            attributes.sharedReceive(srq);
        } else {
            srq = null;
        }
        if (datagrams) {
            attributes.datagram(QKEY);
        }
        qp = new Mlx5QueuePair(QPN, attributes, new QueueMemory(memory, SQ, sendBlocks, 64, QP_RECORD),
                new QueueMemory(memory, RQ, receiveEntries, stride, QP_RECORD), new Recorder(), new ReadyQp(),
                new ArrayMemory());
        cq.attach(qp);
        cq.attach(qp);
        qp.init();
        if (datagrams) {
            qp.ready();
        } else {
            qp.connect(new byte[0]);
        }
    }

    static Rings usual() {
        return new Rings(16, 8, 4, 8, 64, false);
    }

    /** A QP that takes its receives, of two SGEs at most, from an SRQ, which lies where its receive ring would. */
    static Rings shared(int maxWr) {
        return shared(ByteBuffer.allocateDirect(BYTES), maxWr);
    }

    static Rings datagrams() {
        return datagrams(ByteBuffer.allocateDirect(BYTES));
    }

    /** Those of {@link #usual}, or with data of up to 96 bytes in CQEs, over memory that is zero. */
    static Rings usual(ByteBuffer memory, int cqeBytes, boolean inPlace) {
        return new Rings(memory, 16, 8, 4, 8, cqeBytes, inPlace, 0, false);
    }

    static Rings shared(ByteBuffer memory, int maxWr) {
        return new Rings(memory, 16, 8, 2, 8, 64, false, maxWr, false);
    }

    static Rings datagrams(ByteBuffer memory) {
        return new Rings(memory, 16, 8, 4, 8, 64, false, 0, true);
    }

    private final class Recorder implements Doorbell {

        @Override
        public void ring(int producer) {
            rung.add(producer);
            recordAtRing.add(hex(QP_RECORD, 8));
            onRing.run();
        }

        @Override
        public boolean push(int producer, long[] words) {
            if (pushes) {
                StringBuilder hex = new StringBuilder();
                for (long word : words) {
                    hex.append(String.format("%016x", word));
                }
                pushed.add(hex.toString());
            }
            return pushes;
        }

        @Override
        public void ring(int producer, int last, int blocks) {
            lastWqe.add("block " + last + ", " + blocks + " alone");
            ring(producer);
        }
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

    private final class QuietCq implements CompletionQueueControl {

        @Override
        public void arm(int consumerIndex) {
        }

        @Override
        public void disarm() {
        }

        @Override
        public boolean alerted() {
            onAlertedAsked.run();
            return false;
        }

        @Override
        public void progress() {
            onProgress.run();
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
        public void makeReady() {
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
            return !refuses;
        }

        @Override
        public boolean write(long address, int lkey, ByteBuffer source, int offset, int length) {
            onLocalWrite.run();
            source.get(offset, local, (int) address, length);
            return !refuses;
        }
    }
}
