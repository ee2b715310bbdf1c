package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Layout of the answer of one call, as it lies in a {@link MethodTable} and as a program brings it. Little-endian.
 *
 * <pre>
 *  0 live:64, the sequence while this is the published answer, else 0
 *  8 crc32c of all that follows:32 | 12 thrown:32, 0 or the number of a declared exception
 * 16 sequence:64, larger in each answer that is published later
 * 24 bytes of the arguments:32 | 28 bytes of the result:32
 * 32 arguments, zeros up to a multiple of 8, result
 * </pre>
 * The live word is written last when an answer is published, and first when it is not that any more, so that memory in
 * use for another answer is never taken for one. Reading: one thread, which owns the copy.
 */
public final class MethodChunk {

    /** Bytes before the arguments. */
    public static final int HEADER = 32;

    static final int LIVE = 0;
    static final int CRC = 8;
    static final int THROWN = 12;
    static final int SEQUENCE = 16;
    static final int ARGUMENT_BYTES = 24;
    static final int RESULT_BYTES = 28;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private MethodChunk() {
    }

    /** Returns how long the answer of a call is, in bytes. */
    public static long bytes(int argumentBytes, int resultBytes) {
        return result(argumentBytes) + resultBytes;
    }

    private static long result(long argumentBytes) {
        return HEADER + (argumentBytes + 7 & -8L);
    }

    /**
     * Returns whether a copy is the whole answer for these arguments: not torn, not of other arguments, not one whose
     * memory was in other use meanwhile.
     *
     * @param copy from 0 on; its position and limit are changed
     * @param crc any, of the same thread
     */
    public static boolean answers(ByteBuffer copy, ByteBuffer arguments, int at, int length, CRC32C crc) {
        long live = (long) LONG.get(copy, LIVE);
        if (live == 0 || live != (long) LONG.get(copy, SEQUENCE) || (int) INT.get(copy, ARGUMENT_BYTES) != length
                || !same(copy, HEADER, arguments, at, length)) {
            return false;
        }
        int resultBytes = resultBytes(copy);
        long end = bytes(length, resultBytes);
        return resultBytes >= 0 && end <= copy.capacity() && (int) INT.get(copy, CRC) == crc(copy, 0, (int) end, crc);
    }

    /** Returns where the result begins in a copy. */
    public static int resultAt(ByteBuffer copy) {
        return (int) result((int) INT.get(copy, ARGUMENT_BYTES));
    }

    /** Returns how long the result in a copy is. */
    public static int resultBytes(ByteBuffer copy) {
        return (int) INT.get(copy, RESULT_BYTES);
    }

    /** Returns 0, or the number of the declared exception that a copy has in the place of a result. */
    public static int thrown(ByteBuffer copy) {
        return (int) INT.get(copy, THROWN);
    }

    private static boolean same(ByteBuffer a, int aAt, ByteBuffer b, int bAt, int length) {
        if (length > a.capacity() - aAt) {
            return false;
        }
        int i = 0;
        for (; i <= length - 8; i += 8) {
            if ((long) LONG.get(a, aAt + i) != (long) LONG.get(b, bAt + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (a.get(aAt + i) != b.get(bAt + i)) {
                return false;
            }
        }
        return true;
    }

    private static int crc(ByteBuffer memory, int at, int end, CRC32C crc) {
        crc.reset();
        crc.update(memory.limit(at + end).position(at + THROWN));
        memory.clear();
        return (int) crc.getValue();
    }

    // ---- for the table

    /** Writes an answer that is not live yet. */
    static void write(ByteBuffer memory, int at, MethodAnswer answer, long sequence, CRC32C crc) {
        int argumentBytes = answer.argumentBytes();
        int result = at + (int) result(argumentBytes);
        LONG.setRelease(memory, at + LIVE, 0L);
        VarHandle.releaseFence(); // what follows is not seen where the word before is that of the old answer
        INT.set(memory, at + THROWN, answer.thrown());
        LONG.set(memory, at + SEQUENCE, sequence);
        INT.set(memory, at + ARGUMENT_BYTES, argumentBytes);
        INT.set(memory, at + RESULT_BYTES, answer.resultBytes());
        if (result > at + HEADER) {
            LONG.set(memory, result - 8, 0L); // the padding counts in the checksum
        }
        memory.put(at + HEADER, answer.arguments(), answer.argumentsAt(), argumentBytes);
        memory.put(result, answer.result(), answer.resultAt(), answer.resultBytes());
        INT.set(memory, at + CRC, crc(memory, at, (int) bytes(argumentBytes, answer.resultBytes()), crc));
    }

    /** Makes an answer the published one, or takes that back. */
    static void live(ByteBuffer memory, int at, boolean live) {
        LONG.setRelease(memory, at + LIVE, live ? sequence(memory, at) : 0L);
    }

    static long sequence(ByteBuffer memory, int at) {
        return (long) LONG.get(memory, at + SEQUENCE);
    }

    static boolean isFor(ByteBuffer memory, int at, ByteBuffer arguments, int argumentsAt, int length) {
        return (int) INT.get(memory, at + ARGUMENT_BYTES) == length
                && same(memory, at + HEADER, arguments, argumentsAt, length);
    }

    /** Returns the key of what is whole in so many bytes, or -1. */
    static long keyOfWhole(ByteBuffer memory, int at, int room, CRC32C crc) {
        int argumentBytes = (int) INT.get(memory, at + ARGUMENT_BYTES);
        int resultBytes = (int) INT.get(memory, at + RESULT_BYTES);
        if (argumentBytes < 0 || resultBytes < 0 || bytes(argumentBytes, resultBytes) > room
                || (int) INT.get(memory, at + CRC) != crc(memory, at, (int) bytes(argumentBytes, resultBytes), crc)) {
            return -1;
        }
        return MethodHash.key(memory, at + HEADER, argumentBytes);
    }

    static int length(ByteBuffer memory, int at) {
        return (int) bytes((int) INT.get(memory, at + ARGUMENT_BYTES), (int) INT.get(memory, at + RESULT_BYTES));
    }
}
