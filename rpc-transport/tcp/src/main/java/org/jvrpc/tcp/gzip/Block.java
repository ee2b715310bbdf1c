package org.jvrpc.tcp.gzip;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a compressed stream consists of: blocks, each of bytes as they are or of a member of gzip (RFC 1952).
 *
 * <pre>
 * 0 packed:1, the highest bit | length:31 of what follows | bytes
 * 0 packed:1                  | length:31 of the member   | 4 inflated length:32 | member
 * member: 1f 8b 08 00 00 00 00 00 00 ff | deflated bytes | CRC-32:32 | inflated length:32
 * </pre>
 * Little-endian. No block is longer than {@link #MOST_BYTES}, inflated or not, so that each is looked at before
 * anything is inflated, and inflates to memory that is there.
 */
final class Block {

    /** Longest block, as it is or inflated. */
    static final int MOST_BYTES = 1 << 15;
    static final int HEAD_BYTES = 4;
    static final int PACKED_HEAD_BYTES = 8;
    static final int INFLATED_AT = 4;
    static final int PACKED = 1 << 31;
    static final int MEMBER_HEAD_BYTES = 10;
    static final int TRAILER_BYTES = 8;
    /** What a member has besides its bytes. */
    static final int MEMBER_BYTES = MEMBER_HEAD_BYTES + TRAILER_BYTES;
    /** No flags, so no dictionary, name or comment; no time; any system. */
    static final long MEMBER_FIRST = 0x0000_0000_0008_8b1fL;
    static final short MEMBER_SECOND = (short) 0xff00;
    /** Two bits for 258 bytes: what deflating cannot surpass. */
    private static final int MOST_RATIO = 1032;

    private Block() {
    }

    static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns why no such block of bytes as they are can be, or null. */
    static String refusal(int length) {
        return length > 0 && length <= MOST_BYTES ? null
                : "block of bytes=" + length + ", a compressed stream has 1 to " + MOST_BYTES;
    }

    /** Returns why no such packed block can be, or null. */
    static String refusal(int packed, int inflated) {
        if (inflated <= 0 || inflated > MOST_BYTES) {
            return "block of inflated bytes=" + Integer.toUnsignedString(inflated) + ", longest=" + MOST_BYTES;
        }
        if (packed <= MEMBER_BYTES || packed >= inflated) {
            return "block of packed bytes=" + packed + " and inflated bytes=" + inflated + ": more than "
                    + MEMBER_BYTES + ", and less than inflated";
        }
        long most = (long) (packed - MEMBER_BYTES) * MOST_RATIO;
        return inflated <= most ? null : "block of packed bytes=" + packed + " and inflated bytes=" + inflated
                + ", these inflate to " + most + " at most";
    }
}
