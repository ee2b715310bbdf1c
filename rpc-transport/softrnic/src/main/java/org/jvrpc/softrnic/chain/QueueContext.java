package org.jvrpc.softrnic.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jvrpc.verbs.VerbsException;

/**
 * Layout of what any process needs to run the send queue of a cross-channel QP. Little-endian. Everything but the first
 * line is changed only by whoever has claimed the group.
 *
 * <pre>
 *   0 magic:32 | 4 qpn:32 | 8 flags:32 | 12 blocks of the ring:32
 *  16 address of the ring:64 | 24 of the QP's context:64 | 32 of the send CQ:64
 *  64 address of the peer's QP:64 (0 while there is none) | 72 bytes of its device's name:32 | 76 RNR retries:32
 *  80 name of the peer's device, ASCII, 48 bytes
 * 128 executed:32 | 132 limit:32 | 136 fetched:32, all in blocks | 140 the peer's receives consumed:32
 * 192 where fetched blocks lie, as large as the ring, for a queue that fetches before it executes
 * </pre>
 */
public final class QueueContext {

    static final int MAGIC = 0x51534a31;
    public static final int BYTES = 192;
    static final int FETCHED_RING = BYTES;
    public static final int MANAGED = 1;
    public static final int CHECKED = 2;
    public static final int MANAGED_RECEIVE = 4;
    static final int PREFETCHING = 8;
    static final int MAX_NAME = 48;
    /** As many as WQE counters of 16 bits tell apart. */
    private static final int MAX_BLOCKS = 1 << 16;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int QPN = 4;
    private static final int FLAGS = 8;
    private static final int BLOCKS = 12;
    private static final int RING = 16;
    private static final int QP = 24;
    private static final int CQ = 32;
    private static final int PEER = 64;
    private static final int NAME_BYTES = 72;
    private static final int RNR_RETRY = 76;
    private static final int NAME = 80;
    private static final int EXECUTED = 128;
    private static final int LIMIT = 132;
    private static final int FETCHED = 136;
    private static final int CONSUMED = 140;

    private QueueContext() {
    }

    public static void write(
            ByteBuffer memory, int at, int qpn, int flags, int blocks, long ring, long qp, long cq, int rnrRetry) {
        INT.set(memory, at + QPN, qpn);
        INT.set(memory, at + FLAGS, flags);
        INT.set(memory, at + BLOCKS, blocks);
        LONG.set(memory, at + RING, ring);
        LONG.set(memory, at + QP, qp);
        LONG.set(memory, at + CQ, cq);
        INT.set(memory, at + RNR_RETRY, rnrRetry);
        INT.setRelease(memory, at, MAGIC);
    }

    /** Says who the peer is; before the QP is in RTS. */
    public static void connect(ByteBuffer memory, int at, String device, long qp) {
        byte[] name = device.getBytes(StandardCharsets.US_ASCII);
        if (name.length > MAX_NAME) {
            throw new VerbsException("modify_qp", "name of the peer's device is too long: " + device);
        }
        memory.put(at + NAME, name);
        INT.set(memory, at + NAME_BYTES, name.length);
        LONG.setRelease(memory, at + PEER, qp);
    }

    /** Returns true when there is a queue, of so many blocks, which the caller read from there. */
    static boolean isSane(ByteBuffer memory, int at, int blocks) {
        return isQueue(memory, at) && blocks > 0 && blocks <= MAX_BLOCKS
                && Integer.bitCount(blocks) == 1;
    }

    /** Returns true when there is a queue. */
    static boolean isQueue(ByteBuffer memory, int at) {
        return (int) INT.getAcquire(memory, at) == MAGIC;
    }

    public static int qpn(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + QPN);
    }

    static boolean has(ByteBuffer memory, int at, int flag) {
        return ((int) INT.get(memory, at + FLAGS) & flag) != 0;
    }

    static int blocks(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + BLOCKS);
    }

    static long ring(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + RING);
    }

    static long qp(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + QP);
    }

    static long cq(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + CQ);
    }

    static int rnrRetry(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + RNR_RETRY);
    }

    /** Returns the address of the peer's QP; 0 while there is none. */
    static long peer(ByteBuffer memory, int at) {
        return (long) LONG.getAcquire(memory, at + PEER);
    }

    static String peerDevice(ByteBuffer memory, int at) {
        byte[] name = new byte[Math.min(Math.max(0, (int) INT.get(memory, at + NAME_BYTES)), MAX_NAME)];
        memory.get(at + NAME, name);
        return new String(name, StandardCharsets.US_ASCII);
    }

    public static int executed(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + EXECUTED);
    }

    static void executed(ByteBuffer memory, int at, int blocks) {
        INT.set(memory, at + EXECUTED, blocks);
    }

    public static int limit(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + LIMIT);
    }

    public static void limit(ByteBuffer memory, int at, int blocks) {
        INT.set(memory, at + LIMIT, blocks);
    }

    static int fetched(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + FETCHED);
    }

    static void fetched(ByteBuffer memory, int at, int blocks) {
        INT.set(memory, at + FETCHED, blocks);
    }

    static int consumed(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at + CONSUMED);
    }

    static void consumed(ByteBuffer memory, int at, int count) {
        INT.set(memory, at + CONSUMED, count);
    }
}
