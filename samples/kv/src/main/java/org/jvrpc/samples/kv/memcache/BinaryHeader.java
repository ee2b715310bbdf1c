package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;

/**
 * The header of the binary protocol, 24 bytes, big-endian.
 *
 * <pre>
 *  0 | magic:8   0x80 request, 0x81 response | 1 opcode:8 | 2 key length:16
 *  4 | extras length:8 | 5 data type:8       | 6 request: vbucket:16, response: status:16
 *  8 | body length:32: extras + key + value
 * 12 | opaque:32, comes back as it is
 * 16 | cas:64
 * </pre>
 */
final class BinaryHeader {

    static final int BYTES = 24;
    static final int REQUEST = 0x80;
    static final int RESPONSE = 0x81;

    private BinaryHeader() {
    }

    static int magic(ByteBuffer in, int at) {
        return in.get(at) & 0xff;
    }

    static int opcode(ByteBuffer in, int at) {
        return in.get(at + 1) & 0xff;
    }

    static int keyLength(ByteBuffer in, int at) {
        return Short.toUnsignedInt(Short.reverseBytes(in.getShort(at + 2)));
    }

    static int extrasLength(ByteBuffer in, int at) {
        return in.get(at + 4) & 0xff;
    }

    static long bodyLength(ByteBuffer in, int at) {
        return Integer.toUnsignedLong(int32(in, at + 8));
    }

    /** Returns the opaque as it would be written again, big-endian. */
    static int opaque(ByteBuffer in, int at) {
        return int32(in, at + 12);
    }

    static long cas(ByteBuffer in, int at) {
        return int64(in, at + 16);
    }

    /** Reads from a little-endian buffer. */
    static int int32(ByteBuffer in, int at) {
        return Integer.reverseBytes(in.getInt(at));
    }

    /** Reads from a little-endian buffer. */
    static long int64(ByteBuffer in, int at) {
        return Long.reverseBytes(in.getLong(at));
    }

    static void response(
            Output out, int opcode, int status, int extras, int key, int body, int opaque, long cas) {
        out.put(RESPONSE).put(opcode).int16(key).put(extras).put(0).int16(status).int32(body).int32(opaque)
                .int64(cas);
    }
}
