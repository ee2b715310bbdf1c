package org.jvrpc.watch.agent.verbs;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where an agent is reached, big-endian:
 *
 * <pre>
 * 0 magic:16 | 2 version:8 | 3 0:8 | 4 qpn:32 | 8 maxBytes:32 | 12 endpoint of the QP, 1 to 244 bytes
 * </pre>
 *
 * @param qpn of the QP that receives
 * @param maxBytes the longest datagram that it takes
 * @param endpoint of its device
 */
record WayBytes(int qpn, int maxBytes, byte[] endpoint) {

    private static final short MAGIC = 0x4a57;
    private static final byte VERSION = 1;
    private static final int ENDPOINT_AT = 12;
    private static final int MOST_BYTES = 256;

    byte[] encode() {
        return ByteBuffer.allocate(ENDPOINT_AT + endpoint.length).putShort(MAGIC).put(VERSION).put((byte) 0)
                .putInt(qpn).putInt(maxBytes).put(endpoint).array();
    }

    /** @throws IllegalArgumentException for bytes that are none */
    static WayBytes decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length <= ENDPOINT_AT || bytes.length > MOST_BYTES || in.getShort(0) != MAGIC
                || in.get(2) != VERSION) {
            throw new IllegalArgumentException("no address of an agent on a device: bytes=" + bytes.length);
        }
        int qpn = in.getInt(4);
        int maxBytes = in.getInt(8);
        if (qpn < 0 || qpn > 0xffffff || maxBytes < 64 || maxBytes > 1 << 16) {
            throw new IllegalArgumentException("address makes no sense: qpn=" + qpn + " maxBytes=" + maxBytes);
        }
        return new WayBytes(qpn, maxBytes, Arrays.copyOfRange(bytes, ENDPOINT_AT, bytes.length));
    }
}
