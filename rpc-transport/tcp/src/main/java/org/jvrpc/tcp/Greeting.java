package org.jvrpc.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What both sides say first: that they are jvRPC, and the session's hello, or why there is no session.
 *
 * <pre>
 * "jvRPCtcp" | version:16 | kind:16: 0 hello, 1 refusal | length:32 | bytes
 * </pre>
 * Little-endian.
 */
final class Greeting {

    static final int HEAD_BYTES = 16;
    /** Longer than any hello or refusal. */
    static final int MAX_BYTES = 1024;
    static final int HELLO = 0;
    static final int REFUSAL = 1;
    private static final long MAGIC = 0x7063_7443_5052_766aL;
    private static final short VERSION = 1;
    private static final int KIND_AT = 10;
    private static final int LENGTH_AT = 12;

    private final ByteBuffer bytes =
            ByteBuffer.allocate(HEAD_BYTES + MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    static ByteBuffer of(int kind, byte[] body) {
        return ByteBuffer.allocate(HEAD_BYTES + body.length).order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC).putShort(VERSION).putShort((short) kind).putInt(body.length).put(body).flip();
    }

    /** Returns where the other side's goes: behind what came of it. */
    ByteBuffer space() {
        int wanted = bytes.position() < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + bytes.getInt(LENGTH_AT);
        return bytes.limit(wanted);
    }

    /** Returns why what came is no greeting, or null. */
    String refusal() {
        int had = bytes.position();
        for (int i = 0; i < Math.min(had, Long.BYTES); i++) {
            if (bytes.get(i) != (byte) (MAGIC >>> Byte.SIZE * i)) {
                return "is no jvRPC over TCP: begins with bytes " + hex(Math.min(had, Long.BYTES));
            }
        }
        if (had < HEAD_BYTES) {
            return null;
        }
        int version = bytes.getShort(Long.BYTES) & 0xffff;
        int length = bytes.getInt(LENGTH_AT);
        if (version != VERSION) {
            return "speaks version " + version + " of jvRPC over TCP, this side " + VERSION;
        }
        return length >= 0 && length <= MAX_BYTES ? null : "says a greeting of bytes=" + length;
    }

    private String hex(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(String.format("%02x", bytes.get(i)));
        }
        return text.toString();
    }

    /** Returns true once all of it came. */
    boolean isWhole() {
        return bytes.position() >= HEAD_BYTES && bytes.position() == HEAD_BYTES + bytes.getInt(LENGTH_AT);
    }

    int kind() {
        return bytes.getShort(KIND_AT);
    }

    byte[] body() {
        byte[] body = new byte[bytes.getInt(LENGTH_AT)];
        bytes.get(HEAD_BYTES, body);
        return body;
    }
}
