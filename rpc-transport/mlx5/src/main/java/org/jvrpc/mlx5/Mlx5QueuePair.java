package org.jvrpc.mlx5;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.VerbsException;

/**
 * A QP over mlx5 rings. One thread at a time posts; its control path is somebody else's. A card's extends it by what
 * connection management needs.
 */
public class Mlx5QueuePair implements QueuePair {

    /** The most blocks of an SQ. Source: log_max_qp_sz of mlx5. */
    private static final int MAX_BLOCKS = 1 << 15;

    private final int number;
    private final QueuePairAttributes attributes;
    private final QueuePairControl control;
    private final LocalMemory memory;
    /** Null where the device reaches all memory. */
    private final ShadowMemory shadow;
    private final SendQueue sends;
    /** The queue of its own, or null with an SRQ. */
    private final ReceiveQueue own;
    /** The same, but null for datagrams, too: what completes in the plain way. */
    private final ReceiveQueue receives;
    private final Mlx5SharedReceiveQueue shared;
    private volatile boolean mayReceive;
    private volatile boolean maySend;
    private volatile boolean closed;

    /**
     * @param number QP number, 24 bits
     * @param sendQueue stride 64
     * @param receiveQueue stride a power of two that holds {@code maxReceiveSge} data segments; null with an SRQ
     */
    public Mlx5QueuePair(
            int number,
            QueuePairAttributes attributes,
            QueueMemory sendQueue,
            QueueMemory receiveQueue,
            Doorbell doorbell,
            QueuePairControl control,
            LocalMemory memory) {
        this.number = number;
        this.attributes = attributes;
        this.control = control;
        this.memory = memory;
        this.shadow = memory == null ? null : memory.shadow();
        this.sends = new SendQueue(sendQueue, doorbell, shadow, attributes.isDatagram());
        this.shared = sharedOf(attributes);
        this.own = shared != null ? null : new ReceiveQueue(receiveQueue, attributes.isManagedReceive());
        this.receives = attributes.isDatagram() ? null : own;
    }

    private static Mlx5SharedReceiveQueue sharedOf(QueuePairAttributes attributes) {
        SharedReceiveQueue srq = attributes.sharedReceive();
        if (srq != null && !(srq instanceof Mlx5SharedReceiveQueue)) {
            throw new VerbsException("create_qp", "shared receive queue is of another device, number=" + srq.number());
        }
        return (Mlx5SharedReceiveQueue) srq;
    }

    /**
     * Returns the number of blocks that an SQ needs for its attributes, a power of two.
     *
     * @throws VerbsException when WQE counters of 16 bits could not tell them apart
     */
    public static int sendBlocks(QueuePairAttributes attributes) {
        int inlineSegments = attributes.maxInline() == 0 ? 0 : attributes.maxInline() + 4 + 15 >> 4;
        int data = Math.max(attributes.maxSendSge(), inlineSegments);
        int segments = attributes.isDatagram() ? Wqe.DATAGRAM_DATA / Wqe.SEGMENT + data
                : attributes.isCrossChannel() ? 3 + data // programs have WQEs of their own
                : Math.max(2 + data, 4); // WRITE or READ, and an atomic, which has one SGE
        int blocks = roundUp(attributes.maxSendWr() * Wqe.blocks(segments));
        if (blocks > MAX_BLOCKS) {
            throw new VerbsException("create_qp", "send queue is too large: maxSendWr=" + attributes.maxSendWr()
                    + " maxSendSge=" + attributes.maxSendSge() + " maxInline=" + attributes.maxInline()
                    + " blocks of " + Wqe.BLOCK + " bytes=" + blocks + " limit=" + MAX_BLOCKS);
        }
        return blocks;
    }

    /** Returns the bytes of a receive WQE for its attributes, a power of two. */
    public static int receiveStride(QueuePairAttributes attributes) {
        return roundUp(attributes.maxReceiveSge()) * Wqe.SEGMENT;
    }

    /** Returns the least power of two that is not less. */
    public static int roundUp(int value) {
        return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        return control.state();
    }

    @Override
    public void init() {
        expect("modify_qp to INIT", QueuePairState.RESET);
        control.init();
        mayReceive = true;
    }

    @Override
    public byte[] endpoint() {
        if (!mayReceive) {
            throw new VerbsException("query_qp", "endpoint of a QP in RESET, number=" + number);
        }
        return control.endpoint();
    }

    @Override
    public void connect(byte[] remoteEndpoint) {
        if (attributes.isDatagram()) {
            throw new VerbsException("modify_qp to RTS", "a datagram QP has no peer to connect to: number=" + number);
        }
        expect("modify_qp to RTS", QueuePairState.INIT);
        control.connect(remoteEndpoint);
        maySend = true;
    }

    @Override
    public void ready() {
        if (!attributes.isDatagram()) {
            QueuePair.super.ready();
        }
        expect("modify_qp to RTS", QueuePairState.INIT);
        control.makeReady();
        maySend = true;
    }

    /** Takes over the state that a connection manager moved the QP to. Any thread. */
    public void stateChanged() {
        QueuePairState state = control.state();
        if (state != QueuePairState.RESET) {
            mayReceive = true;
        }
        if (state == QueuePairState.RTS || state == QueuePairState.ERR) {
            maySend = true;
        }
    }

    private void expect(String operation, QueuePairState expected) {
        QueuePairState state = control.state();
        if (closed || state != expected) {
            throw new VerbsException(operation, "qp number=" + number + " state=" + (closed ? "closed" : state)
                    + " expected=" + expected);
        }
    }

    @Override
    public void error() {
        QueuePairState state = control.state();
        if (state == QueuePairState.RESET) {
            throw new VerbsException("modify_qp to ERR", "qp number=" + number + " state=" + state);
        }
        maySend = true; // what is posted from now on is flushed
        control.error();
    }

    @Override
    public PostSend prepareSend(SendRequest... requests) {
        return new Mlx5PostSend(this, sends, memory, requests);
    }

    @Override
    public PostReceive prepareReceive(ReceiveRequest... requests) {
        if (own == null) {
            throw new VerbsException("post_recv", "qp number=" + number
                    + " takes its receives from a shared queue, srq number=" + shared.number());
        }
        return new Mlx5PostReceive(this, own, requests);
    }

    @Override
    public void wakePeer() {
        control.wakePeer();
    }

    @Override
    public void expectSends(int count) {
        if (!closed) {
            control.expectSends(count);
        }
    }

    /** Returns how many blocks the send ring has, a power of two. */
    public int sendRingBlocks() {
        return sends.entries();
    }

    /**
     * Registers the send ring as memory: the code of a chain, which its own WQEs change. Bytes from 0 on are block 0.
     *
     * @param domain whose keys the region gets; of the same device
     * @param access bits of {@link org.jvrpc.verbs.Access}
     * @throws VerbsException when the device cannot
     */
    public MemoryRegion registerSendRing(ProtectionDomain domain, int access) {
        return control.registerSendRing(domain, access);
    }

    /**
     * Returns true when a managed send queue may fetch a WQE as soon as an ENABLE allows it, as a card does, so that
     * what is changed in the ring afterwards does not count; false when it fetches each when it executes it.
     */
    public boolean prefetches() {
        return control.prefetches();
    }

    /**
     * Writes WQEs into the send ring as they are, without a word to the device: for managed queues, which run as far as
     * an ENABLE lets them and never ask who wrote what they run. Nobody else may post to this SQ.
     *
     * @param block of the ring, 0 to {@link #sendRingBlocks()} - 1; goes on at 0 past the end
     * @param words big-endian longs, 8 a block
     */
    public void load(int block, long[] words) {
        sends.load(block, words);
    }

    /**
     * Posts one WQE as it is, but for the index and the QP number, which are set; rings the doorbell. On a managed
     * queue, which hears no doorbell, it lies there until an ENABLE.
     *
     * @param words big-endian longs, 8 a block; the first says opcode and opmod, and how many segments
     * @return false when the queue is full: poll its CQ
     * @throws IllegalStateException before RTS
     */
    public boolean post(long wrId, long[] words) {
        if (!maySend || closed) {
            throw new IllegalStateException("post_send: qp=" + number + " state=" + (closed ? "closed" : state()));
        }
        int blocks = Wqe.blocks(Wqe.segments((int) words[0]));
        if (blocks == 0 || words.length < blocks * Wqe.BLOCK / 8) {
            throw new IllegalArgumentException("blocks=" + blocks + " longs=" + words.length);
        }
        if (!sends.hasRoom(blocks)) {
            return false;
        }
        int word = (int) (words[0] >>> 32);
        words[0] = (long) Wqe.opmodIndexOpcode(Wqe.opmod(word), sends.head(), Wqe.opcode(word)) << 32
                | (long) number << 8 | Wqe.segments((int) words[0]);
        sends.write(words, 0, blocks * Wqe.BLOCK / 8, blocks, wrId);
        sends.ring();
        return true;
    }

    QueuePairAttributes attributes() {
        return attributes;
    }

    boolean isClosed() {
        return closed;
    }

    boolean maySend() {
        return maySend;
    }

    boolean mayReceive() {
        return mayReceive;
    }

    SendQueue sends() {
        return sends;
    }

    /** Returns the receive queue of an RC QP that has one of its own; null for datagrams and with an SRQ. */
    ReceiveQueue receives() {
        return receives;
    }

    /** Returns the receive queue of its own, or null. */
    ReceiveQueue ownReceives() {
        return own;
    }

    /** Returns the SRQ, or null. */
    Mlx5SharedReceiveQueue shared() {
        return shared;
    }

    boolean isDatagram() {
        return attributes.isDatagram();
    }

    /** Returns the control path, for the device that owns it. */
    public QueuePairControl control() {
        return control;
    }

    /** Copies the answer to a READ or an atomic from a CQE to the SGEs of the send that it completes. */
    boolean scatterAnswer(int counter, ByteBuffer source, int offset, int length) {
        return sends.scatter(memory, counter, source, offset, length);
    }

    /** Copies data from a CQE to the SGEs of the receive that it completes. */
    boolean scatter(int counter, ByteBuffer source, int offset, int length) {
        if (own == null) {
            return shared.scatter(counter, source, offset, length);
        }
        int at = own.offsetOf(counter);
        return Scatter.bytes(memory, own.memory(), at, at + own.stride(), source, offset, length);
    }

    /** Returns true when {@link #landed} has to be called. */
    boolean isShadowed() {
        return shadow != null && !shadow.isEmpty();
    }

    /** Takes data that the device wrote to where the receive WQE says that it completes. */
    void landed(int counter, int length) {
        if (own == null) {
            shared.landed(counter, length);
        } else {
            int at = own.offsetOf(counter);
            Scatter.landed(shadow, own.memory(), at, at + own.stride(), length);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ((Mlx5CompletionQueue) attributes.sendCq()).detach(this);
            ((Mlx5CompletionQueue) attributes.receiveCq()).detach(this);
            control.close();
        }
    }
}
