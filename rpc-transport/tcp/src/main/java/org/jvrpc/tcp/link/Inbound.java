package org.jvrpc.tcp.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.runtime.session.RpcHeader;

/** Frames on their way in: what was read and not taken yet. Its memory is lent. One thread at a time. */
final class Inbound {

    /** What is read in one call where frames are short. */
    private static final int LEAST_BYTES = 1 << 13;
    /** Of frames as long as this, part of one is moved seldom. */
    private static final int LONG_BYTES = 1 << 15;

    private final ReadableByteChannel channel;
    private final int bytes;
    private final int longest;
    /** Null while nothing comes. */
    private ByteBuffer buffer;
    private int from;
    private int to;
    private boolean ended;
    private final AtomicLong reads = new AtomicLong();

    /** @param slotBytes longest body of a message */
    Inbound(ReadableByteChannel channel, int slotBytes) {
        this.channel = channel;
        this.longest = RpcHeader.BYTES + slotBytes;
        this.bytes = bytes(slotBytes);
    }

    static int bytes(int slotBytes) {
        int frame = FrameHead.BYTES + RpcHeader.BYTES + slotBytes;
        return LentMemory.size(frame < LONG_BYTES ? Math.max(LEAST_BYTES, frame) : 2 * frame);
    }

    ByteBuffer buffer() {
        return buffer;
    }

    /** Returns where what was not taken begins. */
    int from() {
        return from;
    }

    int length() {
        return to - from;
    }

    /** Returns true when nothing more will come. */
    boolean isEnded() {
        return ended;
    }

    /** Returns a number that changes when something came. Any thread. */
    long reads() {
        return reads.get();
    }

    private void count() {
        reads.lazySet(reads.getPlain() + 1); // one thread at a time counts
    }

    void take(int bytes) {
        from += bytes;
    }

    /** Returns the head of the next frame, once {@link #length} has it. */
    int head() {
        return buffer.getInt(from);
    }

    /** Returns why the next frame cannot be one, or null. */
    String refusal() {
        int length = FrameHead.length(head());
        int kind = FrameHead.kind(head());
        boolean fits = switch (kind) {
            case FrameHead.MESSAGE -> length >= RpcHeader.BYTES && length <= longest;
            case FrameHead.FETCH -> length == FrameHead.FETCH_BYTES;
            case FrameHead.DATA -> length >= FrameHead.NUMBER_BYTES;
            case FrameHead.REFUSED, FrameHead.PING, FrameHead.PONG -> length == FrameHead.NUMBER_BYTES;
            default -> false;
        };
        return fits ? null : "frame of kind=" + kind + " and length=" + length
                + " makes no sense, longest message=" + longest;
    }

    /** Gives its memory back where all was taken. */
    void rest() {
        if (buffer != null && from == to) {
            from = 0;
            to = 0;
            LentMemory.give(buffer);
            buffer = null;
        }
    }

    /** Reads what is there, behind what was not taken; true when something was. */
    boolean fill() throws IOException {
        boolean lent = buffer == null;
        if (lent) {
            buffer = LentMemory.take(bytes);
        }
        int count = readBehind();
        if (lent && count <= 0) {
            rest();
        }
        if (count < 0) {
            ended = true;
            return false;
        }
        to += count;
        if (count > 0) {
            count();
        }
        return count > 0;
    }

    private int readBehind() throws IOException {
        if (from == to) {
            from = 0;
            to = 0;
        } else if (to == buffer.capacity() || from > 0 && isNextCut()) {
            buffer.limit(to).position(from).compact();
            to -= from;
            from = 0;
        }
        int count = channel.read(buffer.limit(buffer.capacity()).position(to));
        buffer.clear();
        return count;
    }

    /** Returns true where the next frame ends behind the buffer's end: a read up to there would be in vain. */
    private boolean isNextCut() {
        return to - from >= FrameHead.BYTES && FrameHead.length(head()) > buffer.capacity() - from - FrameHead.BYTES;
    }

    /** Returns true where a PONG of a number, or a later one, lies behind so many bytes among what was read. */
    boolean hasPong(int behind, long number) {
        for (int at = from + behind; to - at >= FrameHead.BYTES + FrameHead.NUMBER_BYTES;) {
            int head = buffer.getInt(at);
            if (FrameHead.kind(head) == FrameHead.PONG && buffer.getLong(at + FrameHead.BYTES) >= number) {
                return true;
            }
            at += Math.min(to - at, FrameHead.BYTES + FrameHead.length(head));
        }
        return false;
    }

    boolean hasRoom() {
        return from == to || to < buffer.capacity();
    }

    /** Moves what was read to where it is wanted, then reads the rest there; false when not all of it came yet. */
    boolean moveTo(ByteBuffer target) throws IOException {
        int bytes = Math.min(length(), target.remaining());
        if (bytes > 0) {
            target.put(buffer.limit(from + bytes).position(from));
            buffer.clear();
            from += bytes;
        }
        while (target.hasRemaining()) {
            int count = channel.read(target);
            if (count <= 0) {
                ended |= count < 0;
                return false;
            }
            count();
        }
        return true;
    }
}
