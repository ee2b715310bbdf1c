package org.jvrpc.api.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * Reads values from a piece of off-heap memory, one after the other, in the layouts of the package. Whatever the bytes
 * are, it reads none outside the piece and allocates no more than a small multiple of them, and 256 KiB
 * ({@link #claimHeap}); what cannot be a value is refused with {@link Status#INTERNAL}. One thread at a time.
 */
@SuppressWarnings("NullAway.Init") // what is read and written is set before each use
public final class WireReader {

    /** One byte that was claimed, above the depth. */
    private static final long CLAIMED = 1L << 16;
    private static final long MOST_CLAIMED = 0xffff_ffffL;
    /** So much heap, in bytes, above what was claimed: 2^16 of it are less than 1 MiB. */
    private static final int HEAP_UNIT = 16;
    private static final int HEAP_SHIFT = 48;
    private static final int MOST_HEAP = 1 << 18;
    /** Heap that a byte pays for. */
    private static final int PAID = 32;
    private static final int SCRATCH_LIMIT = 1 << 16;
    /** An array of so many bytes that are not at hand is copied from where it lies. */
    private static final int FAR = 1 << 10;

    private ByteBuffer buffer;
    private int start;
    private int position;
    /** The end of the bytes at hand, and of all. */
    private int limit;
    private int end;
    private Rest rest;
    private ObjectCodec objects;
    private byte[] scratch = new byte[64];
    private final Views views = new Views(true);
    /**
     * How deep it is within values of one type, in the low bits, above them the bytes that counts have claimed, and
     * above those the heap that was.
     */
    private long nesting;

    /**
     * Begins anew over {@code memory[start, start + length)}.
     *
     * @param objects null when no object graphs may be read
     */
    public void reset(ByteBuffer memory, int start, int length, ObjectCodec objects) {
        if (this.buffer != memory || this.objects != objects) {
            this.buffer = memory; // a store of a reference costs the collector's barrier: only where one changed
            this.objects = objects;
        }
        this.start = start;
        this.position = start;
        this.limit = start + length;
        this.end = limit;
        this.nesting = 0;
    }

    /**
     * Begins anew over {@code length} bytes, of which the first {@code atHand} lie at {@code memory[start]}.
     *
     * @param objects null when no object graphs may be read
     * @param rest where the others are
     */
    public void reset(ByteBuffer memory, int start, int atHand, int length, ObjectCodec objects, Rest rest) {
        reset(memory, start, atHand, objects);
        this.end = start + length;
        this.rest = rest;
    }

    /** Continues in memory that has all the bytes from {@code start} on. For a {@link Rest}. */
    public void moveTo(ByteBuffer memory, int start) {
        this.position += start - this.start;
        this.end += start - this.start;
        this.limit = end;
        this.start = start;
        this.buffer = memory;
    }

    /** Returns the number of bytes not read yet. */
    public int remaining() {
        return end - position;
    }

    private int take(int bytes) {
        int at = position;
        if (bytes > limit - at) {
            at = takeSlowly(bytes);
        }
        position = at + bytes;
        return at;
    }

    private int takeSlowly(int bytes) {
        if (bytes > end - position) {
            throw shortBy(bytes);
        }
        rest.bring(this);
        return position;
    }

    /** Copies the next bytes, which are there, from where they lie. */
    private void copy(int length, ByteBuffer target, int to) {
        int at = position;
        if (length > limit - at && length >= FAR) {
            rest.copy(at - start, target, to, length);
            position = at + length;
        } else {
            at = take(length);
            target.put(to, buffer, at, length);
        }
    }

    private RpcException shortBy(int bytes) {
        return malformed("needed=" + bytes + " remaining=" + remaining());
    }

    /** Makes what is thrown when the bytes last read cannot be a value. */
    RpcException malformed(String what) {
        return new RpcException(Status.INTERNAL, "malformed body: " + what + " offset=" + (position - start)
                + " length=" + (end - start));
    }

    /**
     * Enters a value that may hold another of its own type, so that no bytes can exhaust the stack.
     *
     * @throws RpcException INTERNAL when that would be deeper than {@value Layout#MAX_DEPTH}
     */
    public void descend() {
        if ((++nesting & CLAIMED - 1) > Layout.MAX_DEPTH) {
            throw malformed("nested deeper than " + Layout.MAX_DEPTH);
        }
    }

    /** Leaves what {@link #descend} entered. */
    public void ascend() {
        nesting--;
    }

    /**
     * Returns how many components travel of a record or exception that has some with
     * {@link org.jvrpc.api.Since @Since}: as many as both sides have.
     *
     * @param layout its place among those of the service, sorted by name
     */
    public int fields(int layout) {
        return objects == null ? Integer.MAX_VALUE : objects.fields(layout);
    }

    /**
     * Counts the heap that a record takes and the bytes that were read for it do not pay for, {@value #PAID} each, as
     * most of its components have not travelled. A body gets {@value #MOST_HEAP} bytes of heap in all.
     *
     * @param heap from 1 to 16384
     * @param before what {@link #remaining} was before the record
     * @throws RpcException RESOURCE_EXHAUSTED when records have claimed more
     */
    public void claimHeap(int heap, int before) {
        long unpaid = heap - (long) PAID * (before - remaining());
        if (unpaid <= 0) {
            return;
        }
        nesting += (unpaid + HEAP_UNIT - 1) / HEAP_UNIT << HEAP_SHIFT;
        long claimed = (nesting >>> HEAP_SHIFT) * HEAP_UNIT;
        if (claimed > MOST_HEAP) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "records whose components did not travel take too much"
                    + " memory beyond what their bytes pay for: heap=" + claimed + " limit=" + MOST_HEAP
                    + " offset=" + (position - start) + " length=" + (end - start));
        }
    }

    /** Reads 1 byte, 0 or 1. */
    public boolean readBoolean() {
        int at = take(1);
        byte value = buffer.get(at);
        if (value >> 1 != 0) {
            throw malformed("boolean=" + value);
        }
        return value == 1;
    }

    /** Reads 1 byte. */
    public byte readByte() {
        int at = take(1);
        return buffer.get(at);
    }

    /** Reads 2 bytes. */
    public short readShort() {
        int at = take(2);
        return (short) Layout.SHORT.get(buffer, at);
    }

    /** Reads 2 bytes. */
    public char readChar() {
        int at = take(2);
        return (char) Layout.CHAR.get(buffer, at);
    }

    /** Reads 4 bytes. */
    public int readInt() {
        int at = take(4);
        return (int) Layout.INT.get(buffer, at);
    }

    /** Reads 8 bytes. */
    public long readLong() {
        int at = take(8);
        return (long) Layout.LONG.get(buffer, at);
    }

    /** Reads 4 bytes. */
    public float readFloat() {
        int at = take(4);
        return (float) Layout.FLOAT.get(buffer, at);
    }

    /** Reads 8 bytes. */
    public double readDouble() {
        int at = take(8);
        return (double) Layout.DOUBLE.get(buffer, at);
    }

    /** Reads an enum's constant out of all of them. */
    public <E extends Enum<E>> E readEnum(E[] constants) {
        int ordinal = readShort() & 0xffff;
        if (ordinal >= constants.length) {
            throw malformed("enum ordinal=" + ordinal + " constants=" + constants.length);
        }
        return constants[ordinal];
    }

    /** Reads an enum's constant out of all of them; {@code unknown} for one that only the peer has. */
    public <E extends Enum<E>> E readEnum(E[] constants, E unknown) {
        int ordinal = readShort() & 0xffff;
        return ordinal < constants.length ? constants[ordinal] : unknown;
    }

    /** Reads whether a value follows. */
    public boolean readPresence() {
        return readBoolean();
    }

    /**
     * Reads the number of elements that follow. All elements of a body, those within others, too, take no more than its
     * bytes: what is made for a count before its elements are read cannot add up to more than that.
     *
     * @param minBytes the least number of bytes that an element takes, at least 1
     */
    public int readCount(int minBytes) {
        int count = readInt();
        if (count < 0 || (long) count * minBytes > remaining()) {
            throw malformed("count=" + count + " of elements of at least bytes=" + minBytes);
        }
        nesting += (long) count * minBytes * CLAIMED;
        if ((nesting >>> 16 & MOST_CLAIMED) > end - start) {
            throw malformed("count=" + count + " of elements of at least bytes=" + minBytes
                    + ", which others have claimed before");
        }
        return count;
    }

    /** Reads a string. */
    public String readString() {
        int word = readInt();
        int chars = word >>> 1;
        boolean wide = (word & Layout.WIDE) != 0;
        if ((wide ? 2L : 1L) * chars > remaining()) {
            throw malformed("string chars=" + chars);
        }
        return wide ? readWide(chars) : readLatin(chars);
    }

    private String readLatin(int chars) {
        int at = take(chars);
        byte[] bytes = scratch(chars);
        buffer.get(at, bytes, 0, chars);
        return new String(bytes, 0, chars, StandardCharsets.ISO_8859_1);
    }

    private String readWide(int chars) {
        int at = take(2 * chars);
        char[] value = new char[chars];
        for (int i = 0; i < chars; i++) {
            value[i] = (char) Layout.CHAR.get(buffer, at + 2 * i);
        }
        return new String(value);
    }

    private byte[] scratch(int length) {
        if (length > scratch.length) {
            byte[] larger = new byte[length];
            if (length > SCRATCH_LIMIT) {
                return larger;
            }
            scratch = larger;
        }
        return scratch;
    }

    /** Reads an array. */
    public byte[] readBytes() {
        int count = readCount(1);
        byte[] value = new byte[count];
        if (count > limit - position) {
            copy(count, ByteBuffer.wrap(value), 0);
        } else {
            buffer.get(take(count), value, 0, count);
        }
        return value;
    }

    /** Reads an array. */
    public boolean[] readBooleans() {
        boolean[] value = new boolean[readCount(1)];
        for (int i = 0; i < value.length; i++) {
            value[i] = readBoolean();
        }
        return value;
    }

    /** Reads an array. */
    public short[] readShorts() {
        short[] value = new short[readCount(2)];
        int at = take(2 * value.length);
        for (int i = 0; i < value.length; i++) {
            value[i] = (short) Layout.SHORT.get(buffer, at + 2 * i);
        }
        return value;
    }

    /** Reads an array. */
    public char[] readChars() {
        char[] value = new char[readCount(2)];
        int at = take(2 * value.length);
        for (int i = 0; i < value.length; i++) {
            value[i] = (char) Layout.CHAR.get(buffer, at + 2 * i);
        }
        return value;
    }

    /** Reads an array. */
    public int[] readInts() {
        int[] value = new int[readCount(4)];
        int at = take(4 * value.length);
        for (int i = 0; i < value.length; i++) {
            value[i] = (int) Layout.INT.get(buffer, at + 4 * i);
        }
        return value;
    }

    /** Reads an array. */
    public long[] readLongs() {
        long[] value = new long[readCount(8)];
        int at = take(8 * value.length);
        for (int i = 0; i < value.length; i++) {
            value[i] = (long) Layout.LONG.get(buffer, at + 8 * i);
        }
        return value;
    }

    /** Reads an array. */
    public float[] readFloats() {
        float[] value = new float[readCount(4)];
        int at = take(4 * value.length);
        for (int i = 0; i < value.length; i++) {
            value[i] = (float) Layout.FLOAT.get(buffer, at + 4 * i);
        }
        return value;
    }

    /** Reads an array. */
    public double[] readDoubles() {
        double[] value = new double[readCount(8)];
        int at = take(8 * value.length);
        for (int i = 0; i < value.length; i++) {
            value[i] = (double) Layout.DOUBLE.get(buffer, at + 8 * i);
        }
        return value;
    }

    /** Reads a buffer into a new one on the heap, big-endian as buffers are. */
    public ByteBuffer readBuffer() {
        return ByteBuffer.wrap(readBytes());
    }

    /**
     * Reads a buffer as a read-only view of its own bytes in the memory read from, without a copy, from 0 to their
     * number; it ends with the next {@link #reset}. The view object may be used again by later calls.
     */
    public ByteBuffer readView() {
        int length = readCount(1);
        int at = take(length);
        return views.of(buffer, at, length);
    }

    /** Has long views be used again, too: for who reads little memory again and again, which is not mapped. */
    public void keepLongViews() {
        views.keepLong();
    }

    /** Reads an array into the caller's buffer and moves its position past the last byte. */
    public void readInto(ByteBuffer target) {
        int length = readCount(1);
        if (length > target.remaining()) {
            throw malformed("result length=" + length + " is more than the caller's remaining=" + target.remaining());
        }
        int position = target.position();
        copy(length, target, position);
        target.position(position + length);
    }

    /** Copies the next {@code length} bytes as they are, without a count, to {@code target[to, to + length)}. */
    public void readRaw(ByteBuffer target, int to, int length) {
        if (length < 0 || length > remaining()) {
            throw shortBy(length);
        }
        copy(length, target, to);
    }

    /**
     * Reads an object graph, or null.
     *
     * @throws RpcException INTERNAL when what was read is not an instance of {@code type}
     */
    public <T> T readObject(Class<T> type) {
        Object graph = Objects.requireNonNull(objects, "this reader takes no object graphs").read(this);
        if (graph != null && !type.isInstance(graph)) {
            throw new RpcException(Status.INTERNAL, "object of the wrong type: expected=" + type.getName() + " actual="
                    + graph.getClass().getName());
        }
        return type.cast(graph);
    }
}
