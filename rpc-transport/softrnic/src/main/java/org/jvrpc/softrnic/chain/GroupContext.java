package org.jvrpc.softrnic.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Layout of the group that the cross-channel QPs of one protection domain are. Little-endian.
 *
 * <pre>
 *   0 magic:32 | 4 pd:32 | 8 cut off:32 | 12 version of the members:32
 *  16 claim:64, the process that runs the queues, see ProcessId; 0 for nobody
 *  24 WQEs a second:64, the greatest long for no limit | 32 burst:64
 *  64 executed WQEs:64 | 72 WQEs that may be executed at once:64 | 80 when that was counted, ns:64
 * 128 members: 32 addresses of queue contexts, 0 where there is none
 * 384 CQs: 32 addresses, 0 where there is none
 * </pre>
 */
public final class GroupContext {

    static final int MAGIC = 0x47434a31;
    public static final int BYTES = 640;
    public static final int PLACES = 32;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int PD = 4;
    private static final int CUT_OFF = 8;
    private static final int VERSION = 12;
    private static final int CLAIM = 16;
    private static final int RATE = 24;
    private static final int BURST = 32;
    private static final int EXECUTED = 64;
    private static final int TOKENS = 72;
    private static final int COUNTED_NS = 80;
    private static final int QUEUES = 128;
    private static final int CQS = 384;

    private GroupContext() {
    }

    public static void write(ByteBuffer memory, int at, int pd) {
        INT.set(memory, at + PD, pd);
        LONG.set(memory, at + RATE, Long.MAX_VALUE);
        INT.setRelease(memory, at, MAGIC);
    }

    static boolean isSane(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at) == MAGIC;
    }

    static int pd(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + PD);
    }

    static boolean isCutOff(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at + CUT_OFF) != 0;
    }

    static void cutOff(ByteBuffer memory, int at) {
        INT.setVolatile(memory, at + CUT_OFF, 1);
    }

    /** Returns a number that changes when the members do. */
    static int version(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at + VERSION);
    }

    /** Claims the group for a process; returns who has it, 0 when it is now the caller's. */
    public static long claim(ByteBuffer memory, int at, long process) {
        return (long) LONG.compareAndExchangeAcquire(memory, at + CLAIM, 0L, process);
    }

    /** Takes the claim of a dead process over. */
    static boolean takeOver(ByteBuffer memory, int at, long dead, long process) {
        return LONG.compareAndSet(memory, at + CLAIM, dead, process);
    }

    public static void release(ByteBuffer memory, int at) {
        LONG.setRelease(memory, at + CLAIM, 0L);
    }

    static long rate(ByteBuffer memory, int at) {
        return (long) LONG.getOpaque(memory, at + RATE);
    }

    static long burst(ByteBuffer memory, int at) {
        return (long) LONG.getOpaque(memory, at + BURST);
    }

    static void limitRate(ByteBuffer memory, int at, long wqesPerSecond, long burst, long nowNs) {
        LONG.setOpaque(memory, at + BURST, burst);
        LONG.setOpaque(memory, at + TOKENS, burst);
        LONG.setOpaque(memory, at + COUNTED_NS, nowNs);
        LONG.setOpaque(memory, at + RATE, wqesPerSecond);
    }

    static long tokens(ByteBuffer memory, int at) {
        return (long) LONG.getOpaque(memory, at + TOKENS);
    }

    static long countedNs(ByteBuffer memory, int at) {
        return (long) LONG.getOpaque(memory, at + COUNTED_NS);
    }

    static void tokens(ByteBuffer memory, int at, long tokens, long nowNs) {
        LONG.setOpaque(memory, at + TOKENS, tokens);
        LONG.setOpaque(memory, at + COUNTED_NS, nowNs);
    }

    static long executed(ByteBuffer memory, int at) {
        return (long) LONG.getOpaque(memory, at + EXECUTED);
    }

    static void executed(ByteBuffer memory, int at, long wqes) {
        LONG.setOpaque(memory, at + EXECUTED, wqes);
    }

    public static long queue(ByteBuffer memory, int at, int place) {
        return (long) LONG.get(memory, at + QUEUES + 8 * place);
    }

    static long cq(ByteBuffer memory, int at, int place) {
        return (long) LONG.get(memory, at + CQS + 8 * place);
    }

    /** Puts a queue's context at a free place; false when there is none. */
    public static boolean addQueue(ByteBuffer memory, int at, long queue) {
        return put(memory, at, QUEUES, 0, queue);
    }

    /** Puts a CQ at a free place unless it is there already; false when there is none. */
    public static boolean addCq(ByteBuffer memory, int at, long cq) {
        for (int place = 0; place < PLACES; place++) {
            if (cq(memory, at, place) == cq) {
                return true;
            }
        }
        return put(memory, at, CQS, 0, cq);
    }

    public static void removeQueue(ByteBuffer memory, int at, long queue) {
        put(memory, at, QUEUES, queue, 0);
    }

    public static void removeCq(ByteBuffer memory, int at, long cq) {
        put(memory, at, CQS, cq, 0);
    }

    private static boolean put(ByteBuffer memory, int at, int list, long old, long now) {
        for (int place = 0; place < PLACES; place++) {
            if ((long) LONG.get(memory, at + list + 8 * place) == old) {
                LONG.set(memory, at + list + 8 * place, now);
                INT.setRelease(memory, at + VERSION, version(memory, at) + 1);
                return true;
            }
        }
        return false;
    }
}
