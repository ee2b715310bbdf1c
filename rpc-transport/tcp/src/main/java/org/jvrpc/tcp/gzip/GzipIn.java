package org.jvrpc.tcp.gzip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.jvrpc.tcp.link.Lender;

/** Blocks on their way in. One thread at a time. */
final class GzipIn {

    /** The longest packed block is read here, and inflated to another such, with a byte more. */
    static final int BYTES = Block.PACKED_HEAD_BYTES + Block.MOST_BYTES + 1;

    private final ReadableByteChannel channel;
    private final Lender<ByteBuffer> lender;
    /** What was read and not taken, from its position on; null where that is nothing. */
    private ByteBuffer came;
    /** What was inflated and not taken; null where that is nothing. */
    private ByteBuffer inflated;
    /** How much of a block of bytes as they are was not taken. */
    private int plain;
    private boolean ended;

    /** @param lender of buffers of {@link #BYTES} */
    GzipIn(ReadableByteChannel channel, Lender<ByteBuffer> lender) {
        this.channel = channel;
        this.lender = lender;
    }

    int held() {
        return (came == null ? 0 : BYTES) + (inflated == null ? 0 : BYTES);
    }

    /** As {@link ReadableByteChannel#read}. @throws IOException also for blocks that make no sense */
    int read(ByteBuffer target) throws IOException {
        int count = 0;
        while (target.hasRemaining()) {
            int some = take(target);
            count += some;
            if (some == 0 && (count > 0 || !fill())) {
                break;
            }
        }
        if (came != null && !came.hasRemaining()) {
            lender.give(came);
            came = null;
        }
        return count == 0 && ended && target.hasRemaining() ? -1 : count;
    }

    /** Takes what there is of one block; 0 where more has to come first. */
    private int take(ByteBuffer target) throws IOException {
        if (inflated == null && plain == 0 && !begin()) {
            return 0;
        }
        if (inflated == null) {
            int count = move(came, Math.min(plain, target.remaining()), target);
            plain -= count;
            return count;
        }
        int count = move(inflated, target.remaining(), target);
        if (!inflated.hasRemaining()) {
            lender.give(inflated);
            inflated = null;
        }
        return count;
    }

    private static int move(ByteBuffer source, int most, ByteBuffer target) {
        int count = source == null ? 0 : Math.min(source.remaining(), most);
        if (count > 0) {
            target.put(source.slice(source.position(), count));
            source.position(source.position() + count);
        }
        return count;
    }

    /** Looks at the head of the next block, and inflates it where it is packed; false where it is not all there. */
    private boolean begin() throws IOException {
        int has = came == null ? 0 : came.remaining();
        if (has < Block.HEAD_BYTES) {
            return false;
        }
        int head = came.getInt(came.position());
        if (head >= 0) {
            expect(Block.refusal(head));
            plain = head;
            came.position(came.position() + Block.HEAD_BYTES);
            return true;
        }
        if (has < Block.PACKED_HEAD_BYTES) {
            return false;
        }
        int length = head & ~Block.PACKED;
        int wanted = came.getInt(came.position() + Block.INFLATED_AT);
        expect(Block.refusal(length, wanted)); // before its bytes have come, and before there is memory for them
        if (has < Block.PACKED_HEAD_BYTES + length) {
            return false;
        }
        inflate(came.slice(came.position() + Block.PACKED_HEAD_BYTES, length), wanted);
        came.position(came.position() + Block.PACKED_HEAD_BYTES + length);
        return true;
    }

    private void inflate(ByteBuffer member, int wanted) throws IOException {
        Unpacker unpacker = Unpacker.LENDER.take();
        ByteBuffer room = lender.take();
        String refusal;
        try {
            refusal = unpacker.unpack(member, wanted, room);
        } finally {
            Unpacker.LENDER.give(unpacker);
        }
        if (refusal == null) {
            inflated = room;
        } else {
            lender.give(room);
        }
        expect(refusal);
    }

    private static void expect(String refusal) throws IOException {
        if (refusal != null) {
            throw new IOException(refusal);
        }
    }

    /** Reads what is there, behind what was not taken; false when nothing came. */
    private boolean fill() throws IOException {
        if (came == null) {
            came = lender.take().clear();
        } else {
            came.compact();
        }
        int count;
        try {
            count = channel.read(came);
        } finally {
            came.flip();
        }
        ended |= count < 0;
        return count > 0;
    }
}
