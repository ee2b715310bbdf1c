package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.stream.piece.Piece;
import org.jvrpc.runtime.stream.piece.StreamHeader;

/**
 * What is to be sent of a stream: elements that wait for company or for room, some more than a piece of them at most,
 * and one more, as its writer waits then. Under the stream's monitor, but for what is said to be for any thread.
 */
final class Outflow implements WireWriter.Spill {

    /** So much is sent, whatever more may come. */
    private static final int FLUSH_BYTES = 1 << 14;

    private final Stream stream;
    private final StreamMemory memory;
    private final int peerWindow;
    private final int pieceBytes;
    private final int flushBytes;
    private final int fixed;
    private final ObjectCodec objects;
    private final WireWriter writer = new WireWriter();
    private ByteBuffer staging;
    private int from;
    private int to;
    /** How many bytes the peer has room for. */
    private int credit;
    private int longest;
    private boolean ended;
    /** Nothing is sent any more. */
    private volatile boolean over;
    /** So much is staged that a writer waits. */
    private volatile boolean full;

    /**
     * @param peerWindow bytes that the peer has room for at first
     * @param fixed bytes of each element, 0 where they differ
     */
    Outflow(Stream stream, StreamMemory memory, int peerWindow, int pieceBytes, int fixed, ObjectCodec objects) {
        this.stream = stream;
        this.memory = memory;
        this.peerWindow = peerWindow;
        this.pieceBytes = pieceBytes;
        this.flushBytes = Math.min(pieceBytes, FLUSH_BYTES);
        this.fixed = fixed;
        this.objects = objects;
        this.credit = peerWindow;
        this.staging = memory.take(flushBytes);
    }

    /** Returns true when a writer need not wait. Any thread. */
    boolean isRoomy() {
        return !full || over;
    }

    /** Returns true when nothing is sent any more. Any thread. */
    boolean isOver() {
        return over;
    }

    /** Stages an element, whatever else is staged. */
    <T> void add(StreamCodec<T> codec, T element) {
        if ((codec == StreamCodec.IN_PLACE || codec == StreamCodec.BUFFER) && to == from
                && sendsBuffer((ByteBuffer) element)) {
            return;
        }
        int head = fixed > 0 ? 0 : Inflow.LENGTH_BYTES;
        if (to + head > staging.capacity()) {
            enlarge(0, head);
        }
        writer.reset(staging, to + head, staging.capacity(), this, objects);
        codec.write(writer, element);
        int length = writer.length();
        if (fixed > 0 && length != fixed) {
            throw new IllegalStateException("codec writes bytes=" + length + ", not " + fixed);
        }
        checkLength(length);
        if (head > 0) {
            staging.putInt(to, length);
        }
        staged(head + length);
    }

    /** Sends a long one from where it lies, when there is room for all of it; false with nothing done. */
    private boolean sendsBuffer(ByteBuffer buffer) {
        int length = buffer.remaining();
        int whole = Piece.BUFFER_HEAD_BYTES + length;
        if (whole < flushBytes || whole > pieceBytes || whole > credit || !buffer.isDirect() || !stream.pumpAll()
                || !stream.session().send(stream, StreamHeader.DATA, 0, true, buffer, buffer.position(), length)) {
            return false;
        }
        credit -= whole;
        longest = Math.max(longest, whole);
        return true;
    }

    private void checkLength(long length) {
        if (length > peerWindow - Inflow.LENGTH_BYTES) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "element is longer than the peer's window: bytes="
                    + length + " limit=" + (peerWindow - Inflow.LENGTH_BYTES));
        }
    }

    @Override
    public void grow(WireWriter full, int needed) {
        int written = full.length();
        checkLength((long) written + needed);
        enlarge(written, needed);
        full.moveTo(staging, to + (fixed > 0 ? 0 : Inflow.LENGTH_BYTES), staging.capacity());
    }

    /** Moves what is staged to where there is room for so much more. */
    private void enlarge(int written, int needed) {
        ByteBuffer old = staging;
        staging = memory.take(to - from + Inflow.LENGTH_BYTES + Math.max(2 * written, written + needed));
        staging.put(0, old, from, to - from);
        to -= from;
        from = 0;
        memory.give(old);
    }

    /** Returns where an element of the fixed length is to be put into {@link #staging}; {@link #staged} follows. */
    int room(int bytes) {
        if (to + bytes > staging.capacity()) {
            enlarge(0, bytes);
        }
        return to;
    }

    ByteBuffer staging() {
        return staging;
    }

    /** So many bytes more are staged. */
    void staged(int bytes) {
        to += bytes;
        if (bytes > longest) {
            longest = bytes;
        }
        if (to - from >= flushBytes || credit == peerWindow) {
            stream.pumpAll();
            stream.session().wakePeer(); // this thread may poll no more, and whoever does may sleep
            boolean stuck = to - from >= flushBytes;
            if (stuck != full) {
                full = stuck;
            }
        }
    }

    /** Sends what there is credit for; false where the session has no room. */
    boolean pump() {
        while (to > from && credit > 0) {
            int length = Math.min(Math.min(to - from, pieceBytes), credit);
            if (!stream.send(StreamHeader.DATA, 0, staging, from, length)) {
                return false;
            }
            from += length;
            credit -= length;
        }
        if (to == from) {
            from = 0;
            to = 0;
        }
        if (full && to - from < flushBytes) {
            full = false;
        }
        return true;
    }

    /** The peer has room for more; false when it says more than can be. */
    boolean grant(int more) {
        if (more <= 0 || more > peerWindow - credit) {
            return false;
        }
        credit += more;
        return true;
    }

    /** Returns true when what the peer has was consumed there. */
    boolean isIdle() {
        return credit == peerWindow;
    }

    boolean isEmpty() {
        return to == from;
    }

    /** Returns how many elements may be asked for at once, so that they do not take more than a window. */
    int batch() {
        if (fixed > 0) {
            return Math.max(1, Math.min(peerWindow, flushBytes) / fixed);
        }
        return longest == 0 ? 1 : Math.max(1, Math.min(peerWindow / longest, 1024));
    }

    /** No element follows. */
    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** Forgets what is staged; nothing is sent any more. Idempotent. */
    void close() {
        if (!over) {
            over = true;
            from = 0;
            to = 0;
            memory.give(staging);
            staging = null;
        }
    }
}
