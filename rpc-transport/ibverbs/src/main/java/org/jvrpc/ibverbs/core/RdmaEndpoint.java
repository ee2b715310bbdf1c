package org.jvrpc.ibverbs.core;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.VerbsException;

/**
 * Where a QP is: what peers exchange to connect without a connection manager. Big-endian.
 *
 * <pre>
 * 0 magic:32 | 4 version:8, mtu:8, lid:16 | 8 qpn:32 | 12 psn:32 | 16 gid, 16 bytes | 32 check:32
 * </pre>
 *
 * @param gid of the port
 * @param lid of the port, 0 on Ethernet
 * @param mtu of the path, 1 (256 bytes) to 5 (4096)
 * @param qpn the QP's number, 24 bits
 * @param psn first packet sequence number that it sends, 24 bits
 */
public record RdmaEndpoint(Gid gid, int lid, int mtu, int qpn, int psn) {

    private static final int MAGIC = 0x6a767264; // jvrd
    private static final int VERSION = 1;
    private static final int BYTES = 36;

    /** Returns the bytes. */
    public byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .put((byte) VERSION)
                .put((byte) mtu)
                .putShort((short) lid)
                .putInt(qpn)
                .putInt(psn)
                .put(gid.bytes());
        return out.putInt(check(out.array())).array();
    }

    private static int check(byte[] bytes) {
        int sum = 1;
        for (int i = 0; i < BYTES - 4; i++) {
            sum = 31 * sum + bytes[i];
        }
        return sum;
    }

    /** Reads the bytes. @throws VerbsException when they are no endpoint of an RDMA device */
    public static RdmaEndpoint decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length != BYTES || in.getInt() != MAGIC || in.get() != VERSION
                || ByteBuffer.wrap(bytes).getInt(BYTES - 4) != check(bytes)) {
            throw new VerbsException("connect", "not an endpoint of an RDMA device: bytes=" + bytes.length);
        }
        int mtu = in.get();
        int lid = in.getShort() & 0xffff;
        int qpn = in.getInt();
        int psn = in.getInt();
        byte[] gid = new byte[Gid.BYTES];
        in.get(gid);
        if (mtu < 1 || mtu > 5 || qpn >>> 24 != 0 || psn >>> 24 != 0) {
            throw new VerbsException("connect", "endpoint makes no sense: mtu=" + mtu + " qpn=" + qpn + " psn=" + psn);
        }
        return new RdmaEndpoint(new Gid(gid), lid, mtu, qpn, psn);
    }
}
