package org.jvrpc.softrnic.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.ProcessId;

/**
 * Layout of a CQ in the arena: its context, then the ring. Little-endian but for the ring and the doorbell record.
 *
 * <pre>
 *   0 magic:32 | 4 cqn:32 | 8 entries:32 | 12 bytes of a CQE:32 | 16 kind:32 | 20 flags:32 | 24 armed:32
 *  28 PID namespace of the owner:32, 0 when it is not known
 *  32 address of the owner's copy:64, 0 when this is the owner's
 * 128 doorbell record of 8 bytes, written by the consumer at each poll
 * 256 hint:32, where producers that share the CQ begin to look for a free slot; only goes up
 * 320 produced:32, completions of a cross-channel CQ, and of a private one
 * 384 ring
 * </pre>
 * The kind is 0 where several queues feed the CQ, 1 for an exclusive one, 2 for a cross-channel one, 3 for one whose
 * context only its one feeding thread can write, and 4 for a cross-channel one of that sort: of such a context the
 * owner has a copy, beside which lie flags, arming, doorbell record and ring, and which is told what was produced.
 * The first line is read by producers with each completion and written seldom; the others have lines of their own.
 */
public final class CqContext {

    /** A QP number that no QP has: its completions are passed over. */
    public static final int NOBODY = 0xffffff;

    static final int MAGIC = 0x51434a31;
    public static final int RECORD = 128;
    public static final int RING = 384;

    /** Flag: a completion was lost for lack of room. */
    public static final int OVERRAN = 1;
    /** Flag: a peer moved a QP that reports here to ERR. */
    public static final int ATTENTION = 2;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int CQN = 4;
    private static final int ENTRIES = 8;
    private static final int CQE_BYTES = 12;
    private static final int KIND = 16;
    private static final int SHARED = 0;
    private static final int EXCLUSIVE = 1;
    private static final int CROSS_CHANNEL = 2;
    private static final int PRIVATE = 3;
    private static final int PRIVATE_CROSS_CHANNEL = 4;
    private static final int FLAGS = 20;
    private static final int ARMED = 24;
    private static final int NAMESPACE = 28;
    private static final int OWNER = 32;
    private static final int HINT = 256;
    private static final int PRODUCED = 320;
    private static final int TRIES = 100;

    private CqContext() {
    }

    /** Writes the context of a private CQ. @param owner address of its owner's copy */
    public static void writePrivate(
            ByteBuffer memory, int at, int cqn, int entries, int cqeBytes, boolean crossChannel, long owner) {
        INT.set(memory, at + CQN, cqn);
        INT.set(memory, at + ENTRIES, entries);
        INT.set(memory, at + CQE_BYTES, cqeBytes);
        INT.set(memory, at + KIND, crossChannel ? PRIVATE_CROSS_CHANNEL : PRIVATE);
        LONG.set(memory, at + OWNER, owner);
        INT.setRelease(memory, at, MAGIC);
    }

    static boolean isPrivate(ByteBuffer memory, int at) {
        int kind = (int) INT.get(memory, at + KIND);
        return kind == PRIVATE || kind == PRIVATE_CROSS_CHANNEL;
    }

    /** Returns the address of the owner's copy of a private context. */
    static long owner(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + OWNER);
    }

    public static void write(
            ByteBuffer memory, int at, int cqn, int entries, int cqeBytes, boolean exclusive, boolean crossChannel) {
        INT.set(memory, at + CQN, cqn);
        INT.set(memory, at + ENTRIES, entries);
        INT.set(memory, at + CQE_BYTES, cqeBytes);
        INT.set(memory, at + KIND, crossChannel ? CROSS_CHANNEL : exclusive ? EXCLUSIVE : SHARED);
        INT.set(memory, at + NAMESPACE, ProcessId.NAMESPACE);
        INT.setRelease(memory, at, MAGIC);
    }

    static int magic(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at);
    }

    static int entries(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + ENTRIES);
    }

    public static int cqeBytes(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + CQE_BYTES);
    }

    static boolean isExclusive(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + KIND) == EXCLUSIVE;
    }

    static boolean isCrossChannel(ByteBuffer memory, int at) {
        int kind = (int) INT.get(memory, at + KIND);
        return kind == CROSS_CHANNEL || kind == PRIVATE_CROSS_CHANNEL;
    }

    /** Returns the PID namespace in which claims of slots tell who made them. */
    static int namespace(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + NAMESPACE);
    }

    public static int cqn(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + CQN);
    }

    /** Returns how many completions a cross-channel CQ had; acquire. */
    public static int produced(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at + PRODUCED);
    }

    /** Returns a view of the one number {@link #produced}, for who has claimed the group that feeds the CQ. */
    public static IntBuffer producedView(ByteBuffer memory, int at) {
        return memory.slice(at + PRODUCED, Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    }

    /** Counts the completions of a cross-channel CQ; by whoever has claimed its group. */
    public static void produced(ByteBuffer memory, int at, int count) {
        INT.setRelease(memory, at + PRODUCED, count);
    }

    public static int flags(ByteBuffer memory, int at) {
        return (int) INT.getOpaque(memory, at + FLAGS);
    }

    /** Raises a flag, in a bounded number of tries: others may change it all the time. */
    static void raise(ByteBuffer memory, int at, int flag) {
        for (int i = 0; i < TRIES; i++) {
            int flags = flags(memory, at);
            if (INT.compareAndSet(memory, at + FLAGS, flags, flags | flag)) {
                return;
            }
        }
        INT.setVolatile(memory, at + FLAGS, OVERRAN | ATTENTION);
    }

    /**
     * As above in a private CQ, by its one feeder: without a compare-and-set, which a virtual machine does not survive
     * where the owner has cut the memory. The owner may see again a flag that it lowers at that moment.
     */
    static void raiseAlone(ByteBuffer memory, int at, int flag) {
        INT.setVolatile(memory, at + FLAGS, flags(memory, at) | flag);
    }

    public static void lower(ByteBuffer memory, int at, int flag) {
        INT.getAndBitwiseAnd(memory, at + FLAGS, ~flag);
    }

    /** Arms: ordered before the consumer's next look at the ring. */
    public static void arm(ByteBuffer memory, int at) {
        INT.setVolatile(memory, at + ARMED, 1);
        VarHandle.fullFence(); // before the look at the ring that follows; CqWriter has the other one
    }

    public static void disarm(ByteBuffer memory, int at) {
        INT.setVolatile(memory, at + ARMED, 0);
    }

    public static boolean isArmed(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at + ARMED) != 0;
    }

    /** Takes the arming, for one producer; plain when there is none. */
    static boolean takeArming(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at + ARMED) != 0 && INT.compareAndSet(memory, at + ARMED, 1, 0);
    }

    /**
     * As above in a private CQ, by its one feeder, without a compare-and-set as in {@link #raiseAlone}. An owner that
     * disarms at that moment is woken in vain; the arming that it may set then is taken with the wake that follows.
     */
    static boolean takeArmingAlone(ByteBuffer memory, int at) {
        boolean armed = isArmed(memory, at);
        if (armed) {
            disarm(memory, at);
        }
        return armed;
    }

    /** Acquire: after whatever was read of the ring before. */
    static int hint(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at + HINT);
    }

    /**
     * Moves the hint up to a value, never back. It lags behind the last claim by less than a ring, so that a value
     * further ahead is an old one of a producer that was stopped until the indices had come round.
     */
    static void advanceHint(ByteBuffer memory, int at, int value, int entries) {
        int hint = hint(memory, at);
        while (value - hint > 0 && value - hint <= entries) {
            int found = (int) INT.compareAndExchange(memory, at + HINT, hint, value);
            if (found == hint) {
                return;
            }
            hint = found;
        }
    }

    /** Refuses an address, which may come from a peer, at which no context of a CQ or a QP lies. */
    public static void checkAlignment(long address, String what) {
        if ((address & Arena.ALIGNMENT - 1) != 0) {
            throw new VerbsException("modify_qp", what + " is not aligned: address=0x" + Long.toHexString(address)
                    + " alignment=" + Arena.ALIGNMENT);
        }
    }
}
