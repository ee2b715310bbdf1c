package org.jvrpc.tcp.gzip;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jvrpc.tcp.link.Lender;

/** Inflates blocks, each by itself. Lent for one at a time. */
final class Unpacker {

    private static final int MOST_IDLE = 8;

    static final Lender<Unpacker> LENDER = new Lender<>(MOST_IDLE, Unpacker::new, Unpacker::end);

    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();

    /**
     * Inflates a member of gzip.
     *
     * @param member all of it, more than {@link Block#MEMBER_BYTES}
     * @param length that it is said to have, inflated
     * @param room to which it is inflated, from 0; has a byte more than the longest block
     * @return why it is none of such a length, or null
     */
    String unpack(ByteBuffer member, int length, ByteBuffer room) {
        member.order(ByteOrder.LITTLE_ENDIAN);
        int end = member.limit() - Block.TRAILER_BYTES;
        if (member.getLong(0) != Block.MEMBER_FIRST || member.getShort(Long.BYTES) != Block.MEMBER_SECOND) {
            return String.format("packed block begins with %016x %04x, not as a plain member of gzip",
                    Long.reverseBytes(member.getLong(0)), Short.reverseBytes(member.getShort(Long.BYTES)) & 0xffff);
        }
        room.clear().limit(length + 1); // a byte more than there are to be, which shows that there are more
        int left;
        boolean whole;
        try {
            inflater.setInput(member.slice(Block.MEMBER_HEAD_BYTES, end - Block.MEMBER_HEAD_BYTES));
            while (inflater.inflate(room) > 0 && !inflater.finished()) {
                continue; // until it moves nothing
            }
            left = inflater.getRemaining();
            whole = inflater.finished();
        } catch (DataFormatException e) {
            return "packed block of inflated bytes=" + length + " is damaged: " + e.getMessage();
        } finally {
            inflater.reset();
        }
        int came = room.flip().remaining();
        if (came != length || !whole || left > 0) {
            return "packed block of inflated bytes=" + length + " inflates to " + (came > length ? "more" : came)
                    + (whole ? "" : " and does not end") + ", bytes behind it=" + left;
        }
        crc.reset();
        crc.update(room);
        room.rewind();
        boolean same = member.getInt(end) == (int) crc.getValue() && member.getInt(end + Integer.BYTES) == length;
        return same ? null : "packed block of inflated bytes=" + length + " is damaged: its sum is "
                + Long.toHexString(crc.getValue()) + ", not " + Integer.toHexString(member.getInt(end));
    }

    private void end() {
        inflater.end();
    }
}
