package org.jvrpc.ibverbs.interop.exchange;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.verbs.QueuePair;

/**
 * Where a QP is, as rdma-core's pingpongs tell it: {@code LID:QPN:PSN:GID} in hexadecimal, the GID's bytes in order,
 * and a zero byte. Source: rdma-core 44, libibverbs/examples.
 */
public record Place(int lid, int qpn, int psn, Gid gid) {

    /** Length of the text with its zero byte. */
    public static final int BYTES = 4 + 1 + 6 + 1 + 6 + 1 + 32 + 1;
    /** Code of the path MTU of 1024 bytes, the tools' default. */
    private static final int MTU_1024 = 3;

    public static Place of(QueuePair qp) {
        Ends.End end = Ends.End.of(qp);
        return new Place(end.lid(), end.qpn(), end.psn(), end.gid());
    }

    public byte[] encode() {
        String text = String.format("%04x:%06x:%06x:%s\0", lid, qpn, psn, HexFormat.of().formatHex(gid.bytes()));
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    public static Place decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        String[] parts = text.replace("\0", "").split(":");
        if (parts.length != 4) {
            throw new AssertionError("expected LID:QPN:PSN:GID, got " + text);
        }
        return new Place(Integer.parseInt(parts[0], 16), Integer.parseInt(parts[1], 16),
                Integer.parseInt(parts[2], 16), new Gid(HexFormat.of().parseHex(parts[3])));
    }

    /** Returns what {@link QueuePair#connect} takes. */
    public byte[] endpoint() {
        return new Ends.End(lid, qpn, psn, gid).encode(MTU_1024);
    }
}
