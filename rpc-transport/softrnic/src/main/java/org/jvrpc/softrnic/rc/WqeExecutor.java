package org.jvrpc.softrnic.rc;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Atomics;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.WcStatus;

/**
 * Does what one WQE of a send ring says: checks it, moves the data, completes it at the peer. Who calls runs the queue
 * and completes it at this end. One thread.
 */
public final class WqeExecutor {

    /** How long a peer may stay in INIT before it counts as one that does not answer; another time for tests. */
    private static final long CONNECT_NS = 1_000_000 * Long.getLong("jvrpc.softrnic.connect.ms", 5_000);

    private final ByteBuffer memory;
    private final int ring;
    private final DataSegments data;
    private final GatherList list;
    private final ByteBuffer words = ByteBuffer.allocateDirect(Calc.MAX_BYTES);
    private final long[] found = new long[1];
    private final int rnrRetry;
    private final LongSupplier clock;
    private Responder responder;
    private int rnrTries;
    private boolean inInit;
    private long initSinceNs;
    private long mostBytes = Long.MAX_VALUE;
    /** Why {@link #receive} or {@link #isPeerReady} says no; null to try again. */
    private WcStatus refusal;

    /** @param clock monotonic, in nanoseconds; read while the peer is in INIT only */
    public WqeExecutor(QueueMemory queue, DataSegments data, int rnrRetry, LongSupplier clock) {
        this.memory = queue.memory();
        this.ring = queue.ring();
        this.data = data;
        this.list = data.list();
        this.rnrRetry = rnrRetry;
        this.clock = clock;
    }

    /** Sets the peer. */
    public void connect(Responder peer) {
        this.responder = peer;
    }

    /** Refuses WQEs that move more; for those whose thread serves others, too. */
    public void limit(long bytes) {
        mostBytes = bytes;
    }

    Responder responder() {
        return responder;
    }

    /** Returns why {@link #receive} or {@link #isPeerReady} says no; null to try again. */
    WcStatus refusal() {
        return refusal;
    }

    /** Forgets the retries of the WQE before. */
    public void begin() {
        rnrTries = 0;
    }

    /** Returns how many bytes the last WQE moved. */
    public int bytes() {
        return (int) list.total();
    }

    /**
     * Executes the WQE at an offset in the ring; returns null when the peer is not ready to receive. Peers can write
     * the ring: each field is read once, into a local or by the caller, then looked at, then used.
     *
     * @param control the first 8 bytes of the ctrl segment, as the caller read them
     * @param flags the other 8
     */
    public WcStatus execute(int at, long control, long flags) {
        int segments = Wqe.segments((int) control);
        int word = (int) (control >>> 32);
        int opcode = Wqe.opcode(word);
        switch (opcode) {
            case Wqe.SEND:
            case Wqe.SEND_IMM:
            case Wqe.RDMA_WRITE:
            case Wqe.RDMA_WRITE_IMM:
                WcStatus gathered = collect(at, Wqe.dataOffset(opcode), segments, 0);
                return gathered != WcStatus.SUCCESS ? gathered : transmit(at, word, (int) flags);
            case Wqe.RDMA_READ:
                gathered = collect(at, 2 * Wqe.SEGMENT, segments, Access.LOCAL_WRITE);
                return gathered != WcStatus.SUCCESS ? gathered : read(at);
            case Wqe.ATOMIC_CS:
            case Wqe.ATOMIC_FA:
            case Wqe.ATOMIC_MASKED_CS:
            case Wqe.ATOMIC_MASKED_FA:
                gathered = data.collect(at, Wqe.dataOffset(opcode), segments, Access.LOCAL_WRITE);
                return gathered != WcStatus.SUCCESS ? gathered : atomic(at, opcode);
            case Wqe.NOP:
                list.clear();
                return WcStatus.SUCCESS;
            default:
                return WcStatus.LOC_QP_OP_ERR;
        }
    }

    private WcStatus collect(int at, int offset, int segments, int access) {
        WcStatus status = data.collect(at, offset, segments, access);
        return list.total() > mostBytes && status == WcStatus.SUCCESS ? WcStatus.LOC_LEN_ERR : status;
    }

    /** Executes a SEND or WRITE whose data is collected. */
    private WcStatus transmit(int at, int word, int immediate) {
        int opcode = Wqe.opcode(word);
        int opmod = Wqe.opmod(word);
        if (opmod != 0 && !calculate(opmod)) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        if (opcode == Wqe.RDMA_WRITE) {
            return write(at);
        }
        return responder.chains() == null ? message(at, opcode, immediate) : messageToChain(at, opcode, immediate);
    }

    private WcStatus message(int at, int opcode, int immediate) {
        return opcode == Wqe.RDMA_WRITE_IMM ? writeWithImmediate(at, immediate) : send(opcode, immediate);
    }

    /** Delivers to a cross-channel QP, whose queues then run, here, until they wait for more. */
    private WcStatus messageToChain(int at, int opcode, int immediate) {
        MessageChains chains = responder.chains();
        if (!chains.claim()) {
            return isPeerReady() ? null : refusal;
        }
        try {
            WcStatus status = message(at, opcode, immediate);
            chains.run();
            return status;
        } finally {
            chains.release();
        }
    }

    /** A message was delivered, piece by piece: runs what it sets going. */
    void delivered() {
        MessageChains chains = responder.chains();
        if (chains != null && chains.claim()) {
            try {
                chains.run();
            } finally {
                chains.release();
            }
        }
    }

    /** Puts the result of a calculation over the collected words in their place; false when it cannot be. */
    private boolean calculate(int opmod) {
        if (!Calc.knows(opmod) || list.total() < 8 || (list.total() & 7) != 0 || list.total() > Calc.MAX_BYTES) {
            return false;
        }
        int bytes = bytes();
        list.gather(words, 0);
        Calc.reduce(opmod, words, bytes);
        list.clear();
        list.add(words, 0, 8);
        return true;
    }

    /** Returns true when the peer takes messages; else sets {@link #refusal}. */
    boolean isPeerReady() {
        if (responder.isReady()) {
            return true;
        }
        if (responder.isInit() && mayConnect()) {
            refusal = null;
            return false;
        }
        if (responder.isReady()) {
            return true; // it became so between the two looks
        }
        refusal = WcStatus.RETRY_EXC_ERR;
        return false;
    }

    /** Returns true while a peer in INIT may still come to RTR: it knows of the connection later than this side. */
    private boolean mayConnect() {
        long nowNs = clock.getAsLong();
        if (!inInit) {
            inInit = true;
            initSinceNs = nowNs;
        }
        return nowNs - initSinceNs < CONNECT_NS;
    }

    /** Returns the offset of the peer's next receive WQE, or -1 after having set {@link #refusal}. */
    int receive() {
        if (!isPeerReady()) {
            return -1;
        }
        int wqe = responder.peekReceive();
        if (wqe < 0) {
            boolean again = rnrRetry == QueuePairAttributes.RNR_RETRY_FOREVER || rnrTries < rnrRetry;
            rnrTries++;
            refusal = again ? null : WcStatus.RNR_RETRY_EXC_ERR;
        }
        return wqe;
    }

    private WcStatus send(int opcode, int immediate) {
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
        deliver(cq, cqe, immediate, opcode == Wqe.SEND ? Cqe.RESP_SEND : Cqe.RESP_SEND_IMM, total, format);
        return WcStatus.SUCCESS;
    }

    void deliver(CqWriter cq, int cqe, int immediate, int opcode, int total, int format) {
        if (opcode != Cqe.RESP_SEND) {
            BigEndian.putInt(cq.memory(), cqe + Cqe.IMMEDIATE, immediate);
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
            Slab slab = responder.receiveRegion(Wqe.dataLkey(peer, at), address, piece);
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

    long remoteAddress(int at) {
        return BigEndian.getLong(memory, ring + at + Wqe.REMOTE);
    }

    /** Returns the slab that holds bytes from an address on, which {@link #remoteAddress} read; null after failing. */
    Slab remote(int at, long address, long bytes, int access) {
        int rkey = BigEndian.getInt(memory, ring + at + Wqe.REMOTE + 8);
        Slab slab = responder.region(rkey, address, bytes, access);
        if (slab == null) {
            responder.fail();
        }
        return slab;
    }

    private WcStatus write(int at) {
        return isPeerReady() ? place(at) : refusal;
    }

    /** Writes the collected data to where the WQE says. */
    private WcStatus place(int at) {
        long total = list.total();
        if (total > 0) {
            long address = remoteAddress(at);
            Slab slab = remote(at, address, total, Access.REMOTE_WRITE);
            if (slab == null) {
                return WcStatus.REM_ACCESS_ERR;
            }
            VarHandle.releaseFence();
            list.gather(0, slab, address, total);
            VarHandle.releaseFence(); // what is written later must not be seen earlier
        }
        return WcStatus.SUCCESS;
    }

    private WcStatus writeWithImmediate(int at, int immediate) {
        if (receive() < 0) {
            return refusal;
        }
        WcStatus placed = place(at);
        if (placed != WcStatus.SUCCESS) {
            return placed;
        }
        int cqe = responder.completions().claim();
        if (cqe < 0) {
            responder.fail();
            return WcStatus.REM_OP_ERR;
        }
        deliver(responder.completions(), cqe, immediate, Cqe.RESP_WR_IMM, bytes(), 0);
        return WcStatus.SUCCESS;
    }

    private WcStatus read(int at) {
        if (!isPeerReady()) {
            return refusal;
        }
        long total = list.total();
        if (total > 0) {
            long address = remoteAddress(at);
            Slab slab = remote(at, address, total, Access.REMOTE_READ);
            if (slab == null) {
                return WcStatus.REM_ACCESS_ERR;
            }
            VarHandle.acquireFence(); // what an earlier READ saw must not be newer
            list.scatter(slab, address);
            VarHandle.acquireFence();
        }
        return WcStatus.SUCCESS;
    }

    private WcStatus atomic(int at, int opcode) {
        if (!isPeerReady()) {
            return refusal;
        }
        if (!list.isOneLong()) {
            return WcStatus.LOC_QP_OP_ERR; // in two pieces, or across windows, it could not be written at once
        }
        long address = remoteAddress(at);
        if ((address & 7) != 0) {
            responder.fail();
            return WcStatus.REM_INV_REQ_ERR;
        }
        Slab slab = remote(at, address, 8, Access.REMOTE_ATOMIC);
        if (slab == null) {
            return WcStatus.REM_ACCESS_ERR;
        }
        if (!change(at, opcode, slab, address)) {
            return WcStatus.REM_OP_ERR;
        }
        list.putLong(found[0]);
        return WcStatus.SUCCESS;
    }

    /** Changes 8 bytes, and has what was found in {@link #found}; false when they change too fast. */
    private boolean change(int at, int opcode, Slab slab, long address) {
        Atomics atomics = slab.atomics();
        ByteBuffer target = slab.window(address);
        int index = Slab.index(address);
        int operands = ring + at + Wqe.ATOMIC; // in the WQE's first block
        long swapOrAdd = BigEndian.getLong(memory, operands);
        long second = BigEndian.getLong(memory, operands + Wqe.ATOMIC_COMPARE);
        switch (opcode) {
            case Wqe.ATOMIC_CS:
                found[0] = atomics.compareAndSwap(target, index, second, swapOrAdd);
                return true;
            case Wqe.ATOMIC_FA:
                found[0] = atomics.fetchAndAdd(target, index, swapOrAdd);
                return true;
            case Wqe.ATOMIC_MASKED_FA:
                return atomics.maskedFetchAndAdd(target, index, swapOrAdd, second, found);
            default:
                int masks = operands + Wqe.SEGMENT;
                return atomics.maskedCompareAndSwap(target, index, second, swapOrAdd,
                        BigEndian.getLong(memory, masks + 8), BigEndian.getLong(memory, masks), found);
        }
    }
}
