package org.jvrpc.watch.probe;

import java.nio.ByteBuffer;

/**
 * The bytes of a probe and of its answers, big-endian:
 *
 * <pre>
 *  0 magic:16 | 2 version:8 | 3 kind:8 | 4 keyId:16 | 6 length:16 | 8 prober:32 | 12 responder:32 | 16 incarnation:64
 * 24 sequence:64 | 32 flow:16 | 34 sizeClass:8 | 35 flags:4 serviceLevel:4 | 36 nonce:32 | 40 value:64
 * 48 seal, 16 bytes | 64 pattern
 * </pre>
 *
 * The incarnation is the prober's, also in answers. The sequence counts the probes of a pair from 1. The value of a
 * {@link #PROBE} is 0. That of an {@link #ACK} has bit <i>i</i> of its lower 32 set when probe sequence-1-<i>i</i> had
 * come, and above them how many nanoseconds the responder took, plus 1; 0 when that follows as {@link #TIMES}, whose
 * value it is then. The pattern follows from the nonce. Any thread.
 */
public final class ProbeLayout {

    /** Bytes of the header, and of the shortest probe. */
    public static final int BYTES = 64;
    /** Bytes that the seal covers. */
    public static final int SEALED_BYTES = 48;
    /** Bytes of the seal. */
    public static final int SEAL_BYTES = 16;
    /** What is written and understood here. */
    public static final int VERSION = 1;

    public static final int PROBE = 1;
    public static final int ACK = 2;
    public static final int TIMES = 3;

    /** Flag of an ACK: the probe's pattern was wrong behind a seal that was right. */
    public static final int DAMAGED = 1;

    static final int MAGIC = 0x4a50;
    static final int MAGIC_AT = 0;
    static final int VERSION_AT = 2;
    static final int KIND_AT = 3;
    static final int KEY_AT = 4;
    static final int LENGTH_AT = 6;
    static final int PROBER_AT = 8;
    static final int RESPONDER_AT = 12;
    static final int INCARNATION_AT = 16;
    static final int SEQUENCE_AT = 24;
    static final int FLOW_AT = 32;
    static final int SIZE_AT = 34;
    static final int LEVEL_AT = 35;
    static final int NONCE_AT = 36;
    static final int VALUE_AT = 40;
    static final int SEAL_AT = 48;

    private static final long MOST_TOOK_NS = 0xffffffffL;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private ProbeLayout() {
    }

    /**
     * Writes a header without its seal at 0, the pattern behind it, and sets position 0 and the limit.
     *
     * @param length of all, {@value #BYTES} to 65,535 bytes
     */
    public static void write(ByteBuffer to, int kind, int length, int prober, int responder, long incarnation) {
        to.clear().limit(length);
        to.putShort(MAGIC_AT, (short) MAGIC).put(VERSION_AT, (byte) VERSION).put(KIND_AT, (byte) kind)
                .putShort(KEY_AT, (short) 0).putShort(LENGTH_AT, (short) length).putInt(PROBER_AT, prober)
                .putInt(RESPONDER_AT, responder).putLong(INCARNATION_AT, incarnation);
    }

    /** Writes what else the header has, and the pattern. */
    public static void write(ByteBuffer to, long sequence, int flow, int sizeClass, int flags, int serviceLevel,
            int nonce, long value) {
        to.putLong(SEQUENCE_AT, sequence).putShort(FLOW_AT, (short) flow).put(SIZE_AT, (byte) sizeClass)
                .put(LEVEL_AT, (byte) (flags << 4 | serviceLevel & 15)).putInt(NONCE_AT, nonce)
                .putLong(VALUE_AT, value);
        fill(to, nonce);
    }

    /** Tells whether so many bytes, from 0 to the limit, may be a probe of any version. */
    public static boolean isProbe(ByteBuffer from) {
        return from.limit() >= BYTES && (from.getShort(MAGIC_AT) & 0xffff) == MAGIC;
    }

    public static int version(ByteBuffer from) {
        return from.get(VERSION_AT) & 0xff;
    }

    public static int kind(ByteBuffer from) {
        return from.get(KIND_AT) & 0xff;
    }

    /** Returns which key seals it. */
    public static int keyId(ByteBuffer from) {
        return from.getShort(KEY_AT) & 0xffff;
    }

    /** Returns the length that it says that it has. */
    public static int length(ByteBuffer from) {
        return from.getShort(LENGTH_AT) & 0xffff;
    }

    public static int prober(ByteBuffer from) {
        return from.getInt(PROBER_AT);
    }

    public static int responder(ByteBuffer from) {
        return from.getInt(RESPONDER_AT);
    }

    public static long incarnation(ByteBuffer from) {
        return from.getLong(INCARNATION_AT);
    }

    public static long sequence(ByteBuffer from) {
        return from.getLong(SEQUENCE_AT);
    }

    public static int flow(ByteBuffer from) {
        return from.getShort(FLOW_AT) & 0xffff;
    }

    public static int sizeClass(ByteBuffer from) {
        return from.get(SIZE_AT) & 0xff;
    }

    public static int flags(ByteBuffer from) {
        return from.get(LEVEL_AT) >>> 4 & 15;
    }

    public static int serviceLevel(ByteBuffer from) {
        return from.get(LEVEL_AT) & 15;
    }

    public static int nonce(ByteBuffer from) {
        return from.getInt(NONCE_AT);
    }

    public static long value(ByteBuffer from) {
        return from.getLong(VALUE_AT);
    }

    /** Returns the value of an ACK. @param tookNs of the responder; below 0 or beyond 32 bits when that follows */
    public static long acknowledgement(int before, long tookNs) {
        long told = tookNs >= 0 && tookNs < MOST_TOOK_NS ? tookNs + 1 : 0;
        return told << Integer.SIZE | before & MOST_TOOK_NS;
    }

    /** Returns which probes before had come, of an ACK. */
    public static int before(ByteBuffer from) {
        return (int) value(from);
    }

    /** Returns how many nanoseconds the responder took, of an ACK; -1 when that follows. */
    public static long tookNs(ByteBuffer from) {
        return (value(from) >>> Integer.SIZE) - 1;
    }

    private static void fill(ByteBuffer to, int nonce) {
        int at = BYTES;
        int word = 0;
        for (; at + Long.BYTES <= to.limit(); at += Long.BYTES) {
            to.putLong(at, word(nonce, word++));
        }
        for (long rest = word(nonce, word); at < to.limit(); at++, rest >>>= 8) {
            to.put(at, (byte) rest);
        }
    }

    /** Tells whether the bytes behind the header, to the limit, are those that its nonce says. */
    public static boolean isWhole(ByteBuffer from) {
        int nonce = nonce(from);
        int at = BYTES;
        int word = 0;
        for (; at + Long.BYTES <= from.limit(); at += Long.BYTES) {
            if (from.getLong(at) != word(nonce, word++)) {
                return false;
            }
        }
        for (long rest = word(nonce, word); at < from.limit(); at++, rest >>>= 8) {
            if (from.get(at) != (byte) rest) {
                return false;
            }
        }
        return true;
    }

    /** Half its bits differ between words, and between nonces. */
    private static long word(int nonce, int index) {
        long mixed = (nonce * 0x100000001L + index) * GOLDEN;
        return mixed ^ mixed >>> 29;
    }
}
