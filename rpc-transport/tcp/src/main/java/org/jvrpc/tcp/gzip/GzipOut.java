package org.jvrpc.tcp.gzip;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jvrpc.tcp.link.Lender;
import org.jvrpc.tcp.link.Wire;

/** Blocks on their way out. One thread at a time. */
final class GzipOut {

    /** What is shorter gains less than it costs. */
    static final int LEAST_BYTES = 1 << 10;
    static final int BYTES = 2 * (Block.PACKED_HEAD_BYTES + Block.MOST_BYTES);

    private final Wire wire;
    private final Lender<ByteBuffer> lender;
    /** Blocks that have not left, from its position on; null where there are none. */
    private ByteBuffer blocks;
    /** It did not shrink, and so neither will its rest; null where the last one did, or has left. */
    private ByteBuffer dense;

    /** @param lender of buffers of {@link #BYTES} */
    GzipOut(Wire wire, Lender<ByteBuffer> lender) {
        this.wire = wire;
        this.lender = lender;
    }

    int pending() {
        return (blocks == null ? 0 : blocks.remaining()) + wire.pending();
    }

    int held() {
        return blocks == null ? 0 : BYTES;
    }

    void drain() throws IOException {
        if (wire.pending() > 0) {
            wire.drain();
        }
        if (blocks != null) {
            wire.write(blocks);
            if (!blocks.hasRemaining()) {
                lender.give(blocks);
                blocks = null;
            }
        }
    }

    /** Takes bytes as long as what was taken leaves. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long total = 0;
        while (true) {
            drain();
            if (pending() > 0) {
                return total;
            }
            long count = fill(sources, offset, offset + length);
            if (count == 0) {
                return total;
            }
            total += count;
        }
    }

    /** Makes blocks of what there is, and of what they have room for. */
    private long fill(ByteBuffer[] sources, int from, int to) {
        long count = 0;
        for (int i = from; i < to; i++) {
            ByteBuffer source = sources[i];
            while (source.hasRemaining()) {
                int length = Math.min(source.remaining(), Block.MOST_BYTES);
                if (blocks == null) {
                    blocks = lender.take().clear();
                } else if (blocks.remaining() < Block.PACKED_HEAD_BYTES + length) {
                    blocks.flip();
                    return count;
                }
                put(source, length);
                count += length;
            }
            dense = null;
        }
        if (blocks != null) {
            blocks.flip();
        }
        return count;
    }

    private void put(ByteBuffer source, int length) {
        ByteBuffer bytes = source.slice(source.position(), length);
        if (length < LEAST_BYTES || dense == source || !pack(bytes)) {
            dense = source;
            blocks.putInt(length).put(bytes.rewind());
        }
        source.position(source.position() + length);
    }

    private boolean pack(ByteBuffer bytes) {
        Packer packer = Packer.LENDER.take();
        try {
            return packer.pack(bytes, blocks);
        } finally {
            Packer.LENDER.give(packer);
        }
    }
}
