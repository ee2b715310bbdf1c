package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.stream.piece.Piece;
import org.jvrpc.runtime.stream.piece.StreamHeader;

/**
 * What is to be sent of a stream: elements that wait for company or for room, some more than a piece of them at most,
 * and one more, as its writer waits then. Under the stream's monitor, but for what is said to be for any thread.
 */
final class Outflow implements WireWriter.Spill {

    /** So much is sent, whatever more may come. */
    private static final int FLUSH_BYTES = 1 << 14;
    /** So many long elements are in the window, or the peer might have nothing to do while a writer waits. */
    private static final int LEAST_UNDER_WAY = 3;

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
    /** How much a writer waits to have room for; 0 where none does, or it waits for what is staged. */
    private int awaited;
    private int longest;
    private boolean ended;
    /** Nothing is sent any more. */
    private volatile boolean over;
    /** A writer waits: so much is staged, or it has a long element for which there is no room. */
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
        int whole = whole(codec, element);
        if (whole > 0 && whole <= credit && sends((ByteBuffer) element, whole)) {
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

    /** Returns the bytes of a long element that may go from where it lies, in one piece; 0 for any other. */
    private <T> int whole(StreamCodec<T> codec, T element) {
        if (codec != StreamCodec.IN_PLACE && codec != StreamCodec.BUFFER || to > from) {
            return 0;
        }
        ByteBuffer buffer = (ByteBuffer) element;
        int bytes = Piece.BUFFER_HEAD_BYTES + buffer.remaining();
        return bytes < flushBytes || bytes > pieceBytes || !buffer.isDirect() ? 0 : bytes;
    }

    /**
     * Returns true where a writer had better wait until a long element may go from where it lies, than copy it twice:
     * a peer on this host makes room soon, and is busy meanwhile. It is not roomy until then.
     */
    <T> boolean isWorthAWait(StreamCodec<T> codec, T element) {
        int whole = whole(codec, element);
        if (whole <= credit || whole > peerWindow / LEAST_UNDER_WAY || stream.session().peerHost() != null) {
            return false;
        }
        awaited = whole;
        full = true;
        return true;
    }

    /** Sends a buffer from where it lies; false with nothing done. */
    private boolean sends(ByteBuffer buffer, int whole) {
        int length = whole - Piece.BUFFER_HEAD_BYTES;
        if (!stream.pumpAll()
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
        if (full && to - from < flushBytes && credit >= awaited) {
            awaited = 0;
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
