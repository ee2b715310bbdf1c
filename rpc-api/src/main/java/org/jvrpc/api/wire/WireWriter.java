package org.jvrpc.api.wire;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * Writes values into a piece of off-heap memory, one after the other. When the piece is full its {@link Spill} moves
 * what is there to a larger one. See the package for the layouts. One thread at a time.
 */
@SuppressWarnings("NullAway.Init") // what is read and written is set before each use
public final class WireWriter {

    private ByteBuffer buffer;
    private int start;
    private int position;
    private int limit;
    private Spill spill;
    private ObjectCodec objects;
    private final Views views = new Views(false);
    private ByteBuffer view;
    private int reservedAt;
    private int depth;

    /** Makes room when the memory of a writer is full. */
    @FunctionalInterface
    public interface Spill {
        /**
         * Finds memory for everything written and {@code needed} bytes more, and calls
         * {@link WireWriter#moveTo(ByteBuffer, int, int)}.
         *
         * @throws RpcException RESOURCE_EXHAUSTED when there is none
         */
        void grow(WireWriter writer, int needed);
    }

    /**
     * Begins anew in {@code memory[start, limit)}.
     *
     * @param spill null when the memory cannot grow
     * @param objects null when no object graphs may be written
     */
    public void reset(ByteBuffer memory, int start, int limit, Spill spill, ObjectCodec objects) {
        if (this.buffer != memory || this.spill != spill || this.objects != objects) {
            this.buffer = memory; // a store of a reference costs the collector's barrier: only where one changed
            this.spill = spill;
            this.objects = objects;
        }
        this.start = start;
        this.position = start;
        this.limit = limit;
        this.reservedAt = -1;
        this.depth = 0;
    }

    /** Forgets what was written since {@link #reset}. */
    public void rewind() {
        position = start;
        reservedAt = -1;
        depth = 0;
    }

    /**
     * Enters a value that may hold another of its own type; what is written can then be read.
     *
     * @throws RpcException INVALID_ARGUMENT when that would be deeper than {@value Layout#MAX_DEPTH}
     */
    public void descend() {
        if (++depth > Layout.MAX_DEPTH) {
            throw new RpcException(Status.INVALID_ARGUMENT, "value is nested deeper than " + Layout.MAX_DEPTH);
        }
    }

    /** Leaves what {@link #descend} entered. */
    public void ascend() {
        depth--;
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

    /** Continues in {@code memory[start, limit)}, taking along what was written. For a {@link Spill}. */
    public void moveTo(ByteBuffer memory, int start, int limit) {
        memory.put(start, buffer, this.start, length());
        position = start + length();
        this.buffer = memory;
        this.start = start;
        this.limit = limit;
    }

    /** Returns the number of bytes written. */
    public int length() {
        return position - start;
    }

    /** Returns the memory written to. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Returns where in {@link #buffer()} the first byte lies. */
    public int start() {
        return start;
    }

    private int claim(int bytes) {
        int at = position;
        if (bytes > limit - at) {
            at = claimSlowly(bytes);
        }
        position = at + bytes;
        return at;
    }

    private int claimSlowly(int bytes) {
        if (spill == null) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "body does not fit: written=" + length() + " needed="
                    + bytes + " capacity=" + (limit - start));
        }
        spill.grow(this, bytes);
        return position;
    }

    /** Writes 1 byte, 0 or 1. */
    public void writeBoolean(boolean value) {
        int at = claim(1);
        buffer.put(at, (byte) (value ? 1 : 0));
    }

    /** Writes 1 byte. */
    public void writeByte(byte value) {
        int at = claim(1);
        buffer.put(at, value);
    }

    /** Writes 2 bytes. */
    public void writeShort(short value) {
        int at = claim(2);
        Layout.SHORT.set(buffer, at, value);
    }

    /** Writes 2 bytes. */
    public void writeChar(char value) {
        int at = claim(2);
        Layout.CHAR.set(buffer, at, value);
    }

    /** Writes 4 bytes. */
    public void writeInt(int value) {
        int at = claim(4);
        Layout.INT.set(buffer, at, value);
    }

    /** Writes 8 bytes. */
    public void writeLong(long value) {
        int at = claim(8);
        Layout.LONG.set(buffer, at, value);
    }

    /** Writes 4 bytes. */
    public void writeFloat(float value) {
        int at = claim(4);
        Layout.FLOAT.set(buffer, at, value);
    }

    /** Writes 8 bytes. */
    public void writeDouble(double value) {
        int at = claim(8);
        Layout.DOUBLE.set(buffer, at, value);
    }

    /** Writes an enum's ordinal, 2 bytes. */
    public void writeEnum(Enum<?> value) {
        writeShort((short) value.ordinal());
    }

    /** Writes whether a value follows, 1 byte, and returns the same. */
    public boolean writePresence(boolean present) {
        writeBoolean(present);
        return present;
    }

    /** Writes the number of elements that follow, 4 bytes. */
    public void writeCount(int count) {
        writeInt(count);
    }

    /** Writes a string; no char is lost, lone surrogates included. */
    public void writeString(String value) {
        int chars = value.length();
        int at = claim(stringBytes(chars, 1));
        Layout.INT.set(buffer, at, chars << 1);
        for (int i = 0; i < chars; i++) {
            char c = value.charAt(i);
            if (c > 0xff) {
                position = at;
                writeWideString(value, chars);
                return;
            }
            buffer.put(at + 4 + i, (byte) c);
        }
    }

    private void writeWideString(String value, int chars) {
        int at = claim(stringBytes(chars, 2));
        Layout.INT.set(buffer, at, chars << 1 | Layout.WIDE);
        for (int i = 0; i < chars; i++) {
            Layout.CHAR.set(buffer, at + 4 + 2 * i, value.charAt(i));
        }
    }

    private static int stringBytes(int chars, int width) {
        return arrayBytes(chars, width);
    }

    private static int arrayBytes(int count, int width) {
        long bytes = 4L + (long) count * width;
        if (bytes > Integer.MAX_VALUE || count > Integer.MAX_VALUE >> 1) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "value is too long: bytes=" + bytes);
        }
        return (int) bytes;
    }

    private int claimArray(int count, int width) {
        int at = claim(arrayBytes(count, width));
        Layout.INT.set(buffer, at, count);
        return at + 4;
    }

    /** Writes an array with its count. */
    public void writeBytes(byte[] value) {
        writeBytes(value, 0, value.length);
    }

    /** Writes {@code length} bytes of an array as an array of its own. */
    public void writeBytes(byte[] value, int offset, int length) {
        int at = claimArray(length, 1);
        buffer.put(at, value, offset, length);
    }

    /** Writes {@code length} bytes as they are, without a count: values that were written elsewhere. */
    public void writeRaw(ByteBuffer from, int offset, int length) {
        int at = claim(length);
        buffer.put(at, from, offset, length);
    }

    /** Writes an array with its count. */
    public void writeBooleans(boolean[] value) {
        int at = claimArray(value.length, 1);
        for (int i = 0; i < value.length; i++) {
            buffer.put(at + i, (byte) (value[i] ? 1 : 0));
        }
    }

    /** Writes an array with its count. */
    public void writeShorts(short[] value) {
        int at = claimArray(value.length, 2);
        for (int i = 0; i < value.length; i++) {
            Layout.SHORT.set(buffer, at + 2 * i, value[i]);
        }
    }

    /** Writes an array with its count. */
    public void writeChars(char[] value) {
        int at = claimArray(value.length, 2);
        for (int i = 0; i < value.length; i++) {
            Layout.CHAR.set(buffer, at + 2 * i, value[i]);
        }
    }

    /** Writes an array with its count. */
    public void writeInts(int[] value) {
        int at = claimArray(value.length, 4);
        for (int i = 0; i < value.length; i++) {
            Layout.INT.set(buffer, at + 4 * i, value[i]);
        }
    }

    /** Writes an array with its count. */
    public void writeLongs(long[] value) {
        int at = claimArray(value.length, 8);
        for (int i = 0; i < value.length; i++) {
            Layout.LONG.set(buffer, at + 8 * i, value[i]);
        }
    }

    /** Writes an array with its count. */
    public void writeFloats(float[] value) {
        int at = claimArray(value.length, 4);
        for (int i = 0; i < value.length; i++) {
            Layout.FLOAT.set(buffer, at + 4 * i, value[i]);
        }
    }

    /** Writes an array with its count. */
    public void writeDoubles(double[] value) {
        int at = claimArray(value.length, 8);
        for (int i = 0; i < value.length; i++) {
            Layout.DOUBLE.set(buffer, at + 8 * i, value[i]);
        }
    }

    /** Writes the remaining bytes of a buffer, which keeps its position. */
    public void writeBuffer(ByteBuffer value) {
        int length = value.remaining();
        int at = claimArray(length, 1);
        buffer.put(at, value, value.position(), length);
    }

    /** Writes an object graph, null included. */
    public void writeObject(Object graph) {
        Objects.requireNonNull(objects, "this writer takes no object graphs").write(this, graph);
    }

    /**
     * Leaves {@code room} bytes of an array to be filled through a view of them alone, from 0 to {@code room}. The view
     * ends with the next call of {@link #commit} or {@link #rewind}.
     */
    public ByteBuffer reserve(int room) {
        if (room < 0) {
            throw new RpcException(Status.INVALID_ARGUMENT, "room for a result is negative: room=" + room);
        }
        reservedAt = claim(arrayBytes(room, 1));
        ByteBuffer reserved = views.of(buffer, reservedAt + 4, room);
        if (view != reserved) {
            view = reserved; // a store of a reference costs the collector's barrier: only where it changed
        }
        return reserved;
    }

    /** Ends {@link #reserve}: the bytes up to the view's position are the array. */
    public void commit(ByteBuffer reserved) {
        int length = reserved.position();
        if (reserved != view || reservedAt < 0) {
            throw new RpcException(Status.INTERNAL, "not the buffer that was reserved for the result: length="
                    + length);
        }
        Layout.INT.set(buffer, reservedAt, length);
        position = reservedAt + 4 + length;
        reservedAt = -1;
    }
}
