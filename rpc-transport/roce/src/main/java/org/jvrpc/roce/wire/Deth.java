package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;

/**
 * Datagram extended transport header.
 *
 * <pre>
 * 0 Q_Key:32 | 4 reserved:8 | 5 source QPN:24
 * </pre>
 */
public final class Deth {

    /** Bytes in the header. */
    public static final int BYTES = 8;

    private static final int SOURCE = 4;
    private static final int QPN_MASK = 0xffffff;

    private Deth() {
    }

    public static void write(ByteBuffer packet, int at, int qkey, int sourceQpn) {
        packet.putInt(at, qkey);
        packet.putInt(at + SOURCE, sourceQpn & QPN_MASK);
    }

    public static int qkey(ByteBuffer packet, int at) {
        return packet.getInt(at);
    }

    public static int sourceQpn(ByteBuffer packet, int at) {
        return packet.getInt(at + SOURCE) & QPN_MASK;
    }
}
