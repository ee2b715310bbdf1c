package org.jvrpc.tcp.gzip;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jvrpc.tcp.link.Lender;

/** Deflates blocks, each by itself. Lent for one at a time. */
final class Packer {

    /** What is sent at once is better sent soon: the levels above take several times as long for a tenth less. */
    private static final int LEVEL = Deflater.BEST_SPEED;
    /** A block that shrinks by less than this part goes as it is. */
    private static final int LEAST_GAIN = 8;
    private static final int MOST_IDLE = 8;

    static final Lender<Packer> LENDER = new Lender<>(MOST_IDLE, Packer::new, Packer::end);

    private final Deflater deflater = new Deflater(LEVEL, true);
    private final CRC32 crc = new CRC32();

    /**
     * Puts a packed block into a target that has room for the bytes as they are.
     *
     * @param bytes all of them, from position 0
     * @return false when they do not shrink enough: nothing was put
     */
    boolean pack(ByteBuffer bytes, ByteBuffer target) {
        int length = bytes.remaining();
        int at = target.position() + Block.PACKED_HEAD_BYTES + Block.MEMBER_HEAD_BYTES;
        ByteBuffer deflated = target.slice(at, length - length / LEAST_GAIN - Block.MEMBER_BYTES);
        try {
            deflater.setInput(bytes);
            deflater.finish();
            deflater.deflate(deflated);
            if (!deflater.finished()) {
                return false;
            }
        } finally {
            deflater.reset();
        }
        crc.reset();
        crc.update(bytes.rewind());
        target.putInt(Block.PACKED | Block.MEMBER_BYTES + deflated.position()).putInt(length)
                .putLong(Block.MEMBER_FIRST).putShort(Block.MEMBER_SECOND)
                .position(at + deflated.position()).putInt((int) crc.getValue()).putInt(length);
        return true;
    }

    private void end() {
        deflater.end();
    }
}
