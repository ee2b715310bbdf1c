package org.jvrpc.runtime.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.runtime.session.Body;

/** Memory for one long body, from {@link KeyedBodies}. */
public final class KeyedBody implements Body {

    private final int key;
    private final ByteBuffer buffer;
    /** The same bytes, for who sends some, and for who fills some. */
    private final ByteBuffer sentView;
    private final ByteBuffer filledView;
    private int begin;
    /** The peer may fetch it. */
    private volatile boolean fetchable;

    KeyedBody(int key, int capacity) {
        this.key = key;
        this.buffer = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
        this.sentView = buffer.duplicate();
        this.filledView = buffer.duplicate();
    }

    /** Returns what the peer knows it by. */
    public int key() {
        return key;
    }

    boolean isFetchable() {
        return fetchable;
    }

    void fetchable(boolean mayBeFetched) {
        fetchable = mayBeFetched;
    }

    /** Returns where what is sent begins. */
    public int begin() {
        return begin;
    }

    /** Returns a part, to be sent; there is one such view. */
    public ByteBuffer sent(int offset, int length) {
        return sentView.limit(offset + length).position(offset);
    }

    /** Returns a part, to be filled; there is one such view. */
    public ByteBuffer filled(int offset, int length) {
        return filledView.limit(offset + length).position(offset);
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public int capacity() {
        return buffer.capacity();
    }

    @Override
    public int beginAt(int offset) {
        begin = offset;
        return offset;
    }
}
