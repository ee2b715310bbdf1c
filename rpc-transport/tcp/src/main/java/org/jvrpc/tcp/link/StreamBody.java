package org.jvrpc.tcp.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.runtime.session.Body;

/** Memory for one long body, from {@link StreamBodies}. */
final class StreamBody implements Body {

    private final int key;
    private final ByteBuffer buffer;
    /** The same bytes, for who sends some, and for who fills some. */
    private final ByteBuffer sentView;
    private final ByteBuffer filledView;
    private int begin;
    /** The peer may fetch it. */
    private volatile boolean fetchable;

    StreamBody(int key, int capacity) {
        this.key = key;
        this.buffer = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
        this.sentView = buffer.duplicate();
        this.filledView = buffer.duplicate();
    }

    /** Returns what the peer knows it by. */
    int key() {
        return key;
    }

    boolean isFetchable() {
        return fetchable;
    }

    void fetchable(boolean mayBeFetched) {
        fetchable = mayBeFetched;
    }

    /** Returns where what is sent begins. */
    int begin() {
        return begin;
    }

    /** Returns a part, to be sent; there is one such view. */
    ByteBuffer sent(int offset, int length) {
        return sentView.limit(offset + length).position(offset);
    }

    /** Returns a part, to be filled; there is one such view. */
    ByteBuffer filled(int offset, int length) {
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
