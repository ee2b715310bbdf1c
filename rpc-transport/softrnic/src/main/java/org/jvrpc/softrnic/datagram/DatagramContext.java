package org.jvrpc.softrnic.datagram;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.softrnic.queue.QpContext;

/**
 * Layout of what a UD QP has in its context, in places that {@link QpContext} leaves free. Little-endian.
 *
 * <pre>
 *  56 qkey:32
 *  64 claim:64, the process that delivers a message now, see ProcessId; 0 for nobody
 *  72 hand:64: receives consumed:32 (low), offset of the CQE being written, plus 1:32 (high), 0 for none
 * 192 messages dropped: 5 counters of 32 bits, see {@link Drop}
 * </pre>
 * The hand is changed by whoever has the claim, as one word, so that who takes the claim of a dead process over can
 * tell whether its message was delivered.
 */
public final class DatagramContext {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int QKEY = 56;
    private static final int CLAIM = 64;
    private static final int HAND = 72;
    private static final int DROPS = 192;

    private DatagramContext() {
    }

    /** Why a message was dropped. */
    public enum Drop {
        /** No receive was posted. */
        NO_RECEIVE,
        /** The qkey was another. */
        QKEY,
        /** The receive was too short. */
        TOO_LONG,
        /** The completion queue was full, which is an overrun. */
        NO_CQE,
        /** Another process that delivers a message was stopped, for longer than a sender waits. */
        BUSY
    }

    /** Makes the QP one for datagrams; before {@link QpContext#write}. */
    public static void write(ByteBuffer memory, int at, int qkey) {
        INT.set(memory, at + QKEY, qkey);
        QpContext.makeDatagram(memory, at);
    }

    static int qkey(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + QKEY);
    }

    /** Returns the process that has the claim, 0 for none. */
    public static long claimant(ByteBuffer memory, int at) {
        return (long) LONG.getAcquire(memory, at + CLAIM);
    }

    /** Claims the QP for a process, from another or from nobody. */
    public static boolean claim(ByteBuffer memory, int at, long from, long process) {
        return LONG.compareAndSet(memory, at + CLAIM, from, process);
    }

    public static void release(ByteBuffer memory, int at) {
        LONG.setRelease(memory, at + CLAIM, 0L);
    }

    public static long hand(ByteBuffer memory, int at) {
        return (long) LONG.getAcquire(memory, at + HAND);
    }

    /** Sets the hand. Release, and what follows is not written before: its order tells what was done. */
    public static void hand(ByteBuffer memory, int at, int consumed, int cqe) {
        LONG.setVolatile(memory, at + HAND, (long) cqe << 32 | consumed & 0xffffffffL);
    }

    public static int consumed(long hand) {
        return (int) hand;
    }

    /** Returns the offset of the CQE being written, plus 1; 0 for none. */
    static int cqe(long hand) {
        return (int) (hand >>> 32);
    }

    /** Counts a message that was dropped. */
    public static void drop(ByteBuffer memory, int at, Drop why) {
        INT.getAndAdd(memory, at + DROPS + 4 * why.ordinal(), 1);
    }

    public static int dropped(ByteBuffer memory, int at, Drop why) {
        return (int) INT.getOpaque(memory, at + DROPS + 4 * why.ordinal());
    }
}
