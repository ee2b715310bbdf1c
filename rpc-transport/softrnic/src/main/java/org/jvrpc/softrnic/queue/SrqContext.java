package org.jvrpc.softrnic.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Layout of an SRQ in the arena: its context, who took which WQE, then the ring. Little-endian but for the ring and the
 * doorbell record.
 *
 * <pre>
 *   0 magic:32 | 4 srqn:32 | 8 entries:32 | 12 stride:32 | 16 pd:32
 *  24 address of the owner's copy:64, which has record and ring; 0 when this is the owner's
 * 128 doorbell record of 8 bytes, written by the owner
 * 256 state: taken:32 (high), index of the WQE that is taken next:32; by whoever takes
 * 264 in the owner's copy of one that lies elsewhere, what is taken next: turn:32 (high), index:16, the one after:16
 * 384 for each WQE: turn:32 (high), given up:1, zero:7, qpn:24
 *  …  ring, at a multiple of 64
 * </pre>
 * The turn is how many WQEs were taken before this one, which is how many had been posted before it. It tells the WQE
 * of now from the one that had the same place in the ring before.
 */
public final class SrqContext {

    static final int MAGIC = 0x53524a31;
    public static final int RECORD = 128;
    public static final int BYTES = 384;
    static final int MAX_ENTRIES = 1 << 15;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SRQN = 4;
    private static final int ENTRIES = 8;
    private static final int STRIDE = 12;
    private static final int PD = 16;
    private static final int OWNER = 24;
    private static final int STATE = 256;
    private static final int NEXT_TAKEN = 264;
    private static final int OWNERS = 384;
    private static final int QPN_MASK = 0xffffff;
    private static final long GIVEN_UP = 1L << 31;

    private SrqContext() {
    }

    public static void write(ByteBuffer memory, int at, int srqn, int pd, int entries, int stride) {
        INT.set(memory, at + SRQN, srqn);
        INT.set(memory, at + PD, pd);
        INT.set(memory, at + ENTRIES, entries);
        INT.set(memory, at + STRIDE, stride);
        INT.setRelease(memory, at, MAGIC);
    }

    /** Has record and ring lie in the owner's copy of all this; before {@link #write}. */
    public static void own(ByteBuffer memory, int at, long owner) {
        LONG.set(memory, at + OWNER, owner);
    }

    static long ownerCopy(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + OWNER);
    }

    /** Writes who took a WQE to an owner's copy, which may say anything. */
    static void mirror(ByteBuffer memory, int at, int index, long owner) {
        LONG.setVolatile(memory, at + OWNERS + 8 * index, owner);
    }

    /** Tells an owner's copy which WQE is taken next; before who takes it is written there. */
    static void announce(ByteBuffer memory, int at, int turn, int index, int next) {
        LONG.setRelease(memory, at + NEXT_TAKEN, (long) turn << 32 | index << 16 | next);
    }

    /**
     * Returns the state that an owner's copy tells of, whose other half is lost: whoever took receives is no more, and
     * what was announced and not taken is taken next.
     */
    public static long survived(ByteBuffer memory, int at, int entries) {
        long said = (long) LONG.getAcquire(memory, at + NEXT_TAKEN);
        int turn = (int) (said >>> 32);
        int index = (int) said >>> 16 & entries - 1;
        long owner = owner(memory, at, index);
        return qpn(owner) != 0 && turn(owner) == turn
                ? state(turn + 1, (int) said & entries - 1) : state(turn, index);
    }

    /** Goes on at a state; before anything is taken. */
    public static void begin(ByteBuffer memory, int at, int taken, int next) {
        LONG.setRelease(memory, at + STATE, state(taken, next));
    }

    static int magic(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at);
    }

    static int srqn(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + SRQN);
    }

    static int entries(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + ENTRIES);
    }

    static int stride(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + STRIDE);
    }

    static int pd(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + PD);
    }

    /** Returns the offset of the ring from the context. */
    public static int ring(int entries) {
        return OWNERS + 8 * entries + 63 & -64;
    }

    /** Returns the state; acquire: the link of the WQE before was read by who wrote it. */
    public static long state(ByteBuffer memory, int at) {
        return (long) LONG.getAcquire(memory, at + STATE);
    }

    public static long state(int taken, int next) {
        return (long) taken << 32 | next;
    }

    public static int taken(long state) {
        return (int) (state >>> 32);
    }

    public static int next(long state) {
        return (int) state;
    }

    static void advance(ByteBuffer memory, int at, long state, long to) {
        LONG.compareAndSet(memory, at + STATE, state, to);
    }

    /** Returns who took a WQE, now or in an earlier turn. */
    public static long owner(ByteBuffer memory, int at, int index) {
        return (long) LONG.getAcquire(memory, at + OWNERS + 8 * index);
    }

    public static long owner(int turn, int qpn) {
        return (long) turn << 32 | qpn & QPN_MASK;
    }

    public static int turn(long owner) {
        return (int) (owner >>> 32);
    }

    public static int qpn(long owner) {
        return (int) owner & QPN_MASK;
    }

    public static boolean isGivenUp(long owner) {
        return (owner & GIVEN_UP) != 0;
    }

    /** Takes a WQE; false when its owner is not who it was. */
    public static boolean take(ByteBuffer memory, int at, int index, long owner, long now) {
        return LONG.compareAndSet(memory, at + OWNERS + 8 * index, owner, now);
    }

    /** Says that who took a WQE will not complete it; by who took it. */
    static void giveUp(ByteBuffer memory, int at, int index) {
        LONG.setRelease(memory, at + OWNERS + 8 * index, owner(memory, at, index) | GIVEN_UP);
    }
}
