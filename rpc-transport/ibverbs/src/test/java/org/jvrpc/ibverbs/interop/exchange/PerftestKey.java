package org.jvrpc.ibverbs.interop.exchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePair;

/**
 * What perftest tells of a QP: hexadecimal numbers with a colon behind each, and a zero byte.
 * Source: perftest 4.5-0.17, perftest_communication.h.
 *
 * <pre>
 * lid:4 | reads under way:4 | qpn:6 | psn:6 | rkey:8 | address:16 | gid: 16 times 2 | srq:8
 * </pre>
 *
 * <p>Over a QP of the connection manager it is {@code struct pingpong_dest}, big-endian:
 *
 * <pre>
 * 0 lid:32 | 4 reads:32 | 8 qpn:32 | 12 psn:32 | 16 rkey:32 | 24 address:64 | 32 gid:128 | 48 srq:32 | 52 gid index:32
 * </pre>
 */
public record PerftestKey(int lid, int reads, int qpn, int psn, int rkey, long address, Gid gid, int srqn) {

    /** Length of the text with its zero byte. */
    public static final int BYTES = 108;
    private static final int NUMBERS_BYTES = 56;
    private static final int ADDRESS = 24;
    private static final int GID = 32;
    private static final int SRQ = 48;

    /** Makes one of a QP in INIT and the memory that the peer may use. */
    public static PerftestKey of(QueuePair qp, MemoryRegion mr, long offset) {
        Ends.End end = Ends.End.of(qp);
        return new PerftestKey(
                end.lid(), Ends.READS, end.qpn(), end.psn(), mr.rkey(), mr.address() + offset, end.gid(), 0);
    }

    public byte[] encodeNumbers() {
        return ByteBuffer.allocate(NUMBERS_BYTES).putInt(lid).putInt(reads).putInt(qpn).putInt(psn).putInt(rkey)
                .putLong(ADDRESS, address).put(GID, gid.bytes()).putInt(SRQ, srqn).array();
    }

    public static PerftestKey decodeNumbers(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte[] gid = new byte[Gid.BYTES];
        in.get(GID, gid);
        return new PerftestKey(in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getLong(ADDRESS),
                new Gid(gid), in.getInt(SRQ));
    }

    public byte[] encode() {
        StringBuilder text = new StringBuilder(String.format(
                "%04x:%04x:%06x:%06x:%08x:%016x:", lid, reads, qpn, psn, rkey, address));
        for (byte part : gid.bytes()) {
            text.append(String.format("%02x:", part));
        }
        return text.append(String.format("%08x:\0", srqn)).toString().getBytes(StandardCharsets.US_ASCII);
    }

    public static PerftestKey decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        String[] parts = text.substring(0, text.lastIndexOf(':')).split(":");
        if (parts.length != 6 + Gid.BYTES + 1) {
            throw new AssertionError("expected a key of perftest, got " + text);
        }
        byte[] gid = new byte[Gid.BYTES];
        for (int i = 0; i < gid.length; i++) {
            gid[i] = (byte) Integer.parseInt(parts[6 + i], 16);
        }
        return new PerftestKey(Integer.parseInt(parts[0], 16), Integer.parseInt(parts[1], 16),
                Integer.parseInt(parts[2], 16), Integer.parseInt(parts[3], 16),
                Integer.parseUnsignedInt(parts[4], 16), Long.parseUnsignedLong(parts[5], 16), new Gid(gid),
                Integer.parseUnsignedInt(parts[6 + Gid.BYTES], 16));
    }

    /** Returns what {@link QueuePair#connect} takes. */
    public byte[] endpoint(int mtu) {
        return new Ends.End(lid, qpn, psn, gid).encode(mtu);
    }
}
