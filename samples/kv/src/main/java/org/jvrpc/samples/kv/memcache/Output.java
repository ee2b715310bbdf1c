package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.ItemView;
import org.jvrpc.samples.kv.store.Numbers;

/**
 * A connection's answers that are not sent yet. Has a buffer only while there are some. One thread.
 */
final class Output {

    /** So many bytes are enough: no further command is begun before they are sent. */
    private static final int ENOUGH = BufferPool.SMALL / 2;

    private final BufferPool pool;
    private ByteBuffer buffer;
    private int begin;
    private int end;

    Output(BufferPool pool) {
        this.pool = pool;
    }

    /** Returns true while it has one of the buffers that there are few of. */
    boolean isLarge() {
        return buffer != null && buffer.capacity() > BufferPool.SMALL;
    }

    boolean isEmpty() {
        return begin == end;
    }

    /** Returns true when what is here should be sent before more is added. */
    boolean isEnough() {
        return end >= ENOUGH;
    }

    int mark() {
        return end;
    }

    /** Takes back everything after a mark. */
    void reset(int mark) {
        end = mark;
    }

    /** Makes room for so many bytes. @return false when there is no memory for them */
    boolean ensure(int bytes) {
        if (buffer == null) {
            buffer = pool.take(bytes);
            return buffer != null;
        }
        if (buffer.capacity() - end >= bytes) {
            return true;
        }
        ByteBuffer larger = end + bytes <= BufferPool.LARGEST ? pool.take(end + bytes) : null;
        if (larger == null) {
            return false;
        }
        larger.put(begin, buffer, begin, end - begin);
        pool.give(buffer);
        buffer = larger;
        return true;
    }

    /** Makes room for a short answer; there is always some, because commands end when there is {@link #isEnough()}. */
    private void room(int bytes) {
        if (!ensure(bytes)) {
            throw new IllegalStateException("bytes=" + bytes + " end=" + end + ": no room for a short answer");
        }
    }

    Output bytes(byte[] bytes) {
        room(bytes.length);
        buffer.put(end, bytes);
        end += bytes.length;
        return this;
    }

    Output bytes(ByteBuffer from, int offset, int length) {
        room(length);
        buffer.put(end, from, offset, length);
        end += length;
        return this;
    }

    Output put(int b) {
        room(1);
        buffer.put(end++, (byte) b);
        return this;
    }

    Output number(long unsigned) {
        room(20);
        end += Numbers.write(unsigned, buffer, end);
        return this;
    }

    Output key(ItemView item) {
        room(item.keyLength());
        item.copyKey(buffer, end);
        end += item.keyLength();
        return this;
    }

    /** Appends the value; room was made. */
    Output value(ItemView item) {
        item.copyValue(buffer, end);
        end += item.valueLength();
        return this;
    }

    Output int16(int bigEndian) {
        return put(bigEndian >>> 8).put(bigEndian);
    }

    Output int32(int bigEndian) {
        room(Integer.BYTES);
        buffer.putInt(end, Integer.reverseBytes(bigEndian));
        end += Integer.BYTES;
        return this;
    }

    Output int64(long bigEndian) {
        room(Long.BYTES);
        buffer.putLong(end, Long.reverseBytes(bigEndian));
        end += Long.BYTES;
        return this;
    }

    /** Returns what is to be sent; position and limit are set. */
    ByteBuffer unsent() {
        return buffer.limit(end).position(begin);
    }

    /** Notes how far it was sent; gives the buffer back when that is all. */
    void sent() {
        begin = buffer.position();
        buffer.clear();
        if (begin == end) {
            release();
        }
    }

    void release() {
        begin = 0;
        end = 0;
        if (buffer != null) {
            pool.give(buffer.clear());
            buffer = null;
        }
    }
}
