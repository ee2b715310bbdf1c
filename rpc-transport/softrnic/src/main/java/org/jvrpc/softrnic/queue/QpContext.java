package org.jvrpc.softrnic.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.QueuePairState;

/**
 * Layout of a QP in the arena: its context, which the peer reads, then the rings. Little-endian but for the rings and
 * the doorbell record, which are mlx5's.
 *
 * <pre>
 *   0 magic:32    | 4 qpn:32        | 8 state:32         | 12 pd:32
 *  16 rq entries  | 20 rq stride    | 24 cq context:64
 *  32 initiator:64, which the peer claims when it connects; 0 while there is none, -1 when there will be none
 *  40 address of the group of a cross-channel QP:64, 0 for others
 *  48 address of the SRQ that receives are taken from:64, 0 for a ring of its own
 *  60 service:32, 1 for datagrams, 0 for RC
 *  56 to 79, and 192 on, for datagrams: DatagramContext
 *  80 address of the owner's copy:64, behind which record and rings lie; 0 when this is the owner's
 * 128 doorbell record of 8 bytes
 * 256 receive ring, then the send ring
 * </pre>
 * The first line is read by the peer with each message and written when the state changes. The doorbell record has a
 * line of its own, because its owner writes it while the peer works.
 */
public final class QpContext {

    static final int MAGIC = 0x50514a31;
    public static final int RECORD = 128;
    public static final int RINGS = 256;
    public static final int BYTES = RINGS;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int QPN = 4;
    private static final int STATE = 8;
    private static final int PD = 12;
    private static final int RQ_ENTRIES = 16;
    private static final int RQ_STRIDE = 20;
    private static final int CQ = 24;
    private static final int INITIATOR = 32;
    private static final long SEALED = -1;
    private static final int GROUP = 40;
    private static final int SRQ = 48;
    private static final int SERVICE = 60;
    private static final int DATAGRAM = 1;
    private static final int OWNER = 80;
    private static final QueuePairState[] STATES = QueuePairState.values();
    private static final int INIT = QueuePairState.INIT.ordinal();
    private static final int RTR = QueuePairState.RTR.ordinal();
    private static final int RTS = QueuePairState.RTS.ordinal();
    private static final int ERR = QueuePairState.ERR.ordinal();

    private QpContext() {
    }

    public static void write(ByteBuffer memory, int at, int qpn, int pd, int rqEntries, int rqStride, long cq) {
        INT.set(memory, at + QPN, qpn);
        INT.set(memory, at + PD, pd);
        INT.set(memory, at + RQ_ENTRIES, rqEntries);
        INT.set(memory, at + RQ_STRIDE, rqStride);
        LONG.set(memory, at + CQ, cq);
        INT.setRelease(memory, at, MAGIC);
    }

    /** Makes the QP one of a group's; before {@link #write}. */
    public static void join(ByteBuffer memory, int at, long group) {
        LONG.set(memory, at + GROUP, group);
    }

    public static long group(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + GROUP);
    }

    /** Has receives taken from an SRQ; before {@link #write}. */
    public static void share(ByteBuffer memory, int at, long srq) {
        LONG.set(memory, at + SRQ, srq);
    }

    public static long srq(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + SRQ);
    }

    /** Has record and rings lie behind the owner's copy of the context; before {@link #write}. */
    public static void own(ByteBuffer memory, int at, long owner) {
        LONG.set(memory, at + OWNER, owner);
    }

    /** Returns the address of the owner's copy of the context; 0 when this is the owner's. */
    public static long owner(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + OWNER);
    }

    /** Writes the state to an owner's copy, which may be in any state. */
    static void mirror(ByteBuffer memory, int at, QueuePairState state) {
        INT.setVolatile(memory, at + STATE, state.ordinal());
    }

    /** Makes the QP one for datagrams; before {@link #write}. */
    public static void makeDatagram(ByteBuffer memory, int at) {
        INT.set(memory, at + SERVICE, DATAGRAM);
    }

    public static boolean isDatagram(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + SERVICE) == DATAGRAM;
    }

    /** Returns true when there is a QP, with a receive ring of this shape, which the caller read from there. */
    public static boolean isSane(ByteBuffer memory, int at, int entries, int stride) {
        return magic(memory, at) == MAGIC && Integer.bitCount(entries) == 1 && entries > 0
                && Integer.bitCount(stride) == 1 && stride >= Wqe.SEGMENT && stride <= 16 * Wqe.SEGMENT;
    }

    static int magic(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at);
    }

    public static int qpn(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + QPN);
    }

    public static int pd(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + PD);
    }

    public static int rqEntries(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + RQ_ENTRIES);
    }

    public static int rqStride(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + RQ_STRIDE);
    }

    public static long cq(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + CQ);
    }

    /** Returns the state; a word that is none is ERR. */
    public static QueuePairState state(ByteBuffer memory, int at) {
        int state = (int) INT.getAcquire(memory, at + STATE);
        return state >= 0 && state < STATES.length ? STATES[state] : QueuePairState.ERR;
    }

    /** Returns true when sends are executed. */
    public static boolean isRts(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at + STATE) == RTS;
    }

    /** Returns a view of the state, for {@link #isRts(IntBuffer)}: it takes fewer checks to read. */
    public static IntBuffer stateView(ByteBuffer memory, int at) {
        return memory.slice(at + STATE, Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    }

    /** As {@link #isRts(ByteBuffer, int)}. */
    public static boolean isRts(IntBuffer view) {
        int state = view.get(0);
        VarHandle.acquireFence();
        return state == RTS;
    }

    /** Moves on; never out of ERR. */
    public static boolean advance(ByteBuffer memory, int at, QueuePairState from, QueuePairState to) {
        return INT.compareAndSet(memory, at + STATE, from.ordinal(), to.ordinal());
    }

    public static void fail(ByteBuffer memory, int at) {
        INT.setVolatile(memory, at + STATE, ERR);
    }

    /** Returns true while the QP takes no message yet because it is being connected. */
    public static boolean isInit(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at + STATE) == INIT;
    }

    /** Claims the QP for its one initiator; returns who has it: {@code id}, or another. */
    public static long claim(ByteBuffer memory, int at, long id) {
        long found = (long) LONG.compareAndExchange(memory, at + INITIATOR, 0L, id);
        return found == 0 ? id : found;
    }

    /** Keeps initiators away for good; false when one has claimed the QP already. */
    public static boolean seal(ByteBuffer memory, int at) {
        return LONG.compareAndSet(memory, at + INITIATOR, 0L, SEALED);
    }

    /** Ends a claim that came to nothing. */
    public static void unclaim(ByteBuffer memory, int at, long id) {
        LONG.compareAndSet(memory, at + INITIATOR, id, 0L);
    }

    /** Returns true when messages are taken: RTR or RTS. */
    public static boolean isReady(ByteBuffer memory, int at) {
        int state = (int) INT.getAcquire(memory, at + STATE);
        return state == RTS || state == RTR;
    }
}
