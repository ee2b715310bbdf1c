package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the two sides of a message session say when they connect, as private data of the connection. Little-endian.
 *
 * <pre>
 * 0 magic:32 | 4 version:16 | 6 window:16 | 8 piece bytes:32 | 12 max frame bytes:32 | 16 session:64
 * </pre>
 *
 * @param version of the protocol, {@link MessageHeader#VERSION}
 * @param window pieces that may be under way each way
 * @param pieceBytes longest piece of a frame
 * @param maxFrameBytes longest frame that the sender of this takes
 * @param session number of the session on the server; 0 in a request
 */
record MessageHello(int version, int window, int pieceBytes, int maxFrameBytes, long session) {

    static final int MIN_WINDOW = 4;
    static final int MAX_WINDOW = 1024;
    static final int MIN_PIECE = 256;
    static final int MAX_PIECE = 1 << 20;
    private static final long MAX_MEMORY = 64L << 20;
    private static final int MAGIC = 0x534d766a; // jvMS
    private static final int BYTES = 24;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort((short) version)
                .putShort((short) window)
                .putInt(pieceBytes)
                .putInt(maxFrameBytes)
                .putLong(session)
                .array();
    }

    /** Returns what the bytes say, or null when they are none of these. */
    static MessageHello decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < BYTES || in.getInt() != MAGIC) {
            return null;
        }
        return new MessageHello(
                in.getShort() & 0xffff, in.getShort() & 0xffff, in.getInt(), in.getInt(), in.getLong());
    }

    /** Returns why a server cannot serve this client, or null when it can. */
    static String refusal(MessageHello hello) {
        if (hello == null) {
            return "not a client of jvRPC message sessions";
        }
        if (hello.version != MessageHeader.VERSION) {
            return "protocol version differs: server=" + MessageHeader.VERSION + " client=" + hello.version;
        }
        boolean fits = hello.window >= MIN_WINDOW && hello.window <= MAX_WINDOW && hello.pieceBytes >= MIN_PIECE
                && hello.pieceBytes <= MAX_PIECE && hello.maxFrameBytes > 0
                && (long) hello.window * hello.pieceBytes <= MAX_MEMORY;
        return fits ? null : "client asks for what cannot be: window=" + hello.window + " pieceBytes="
                + hello.pieceBytes + " maxFrameBytes=" + hello.maxFrameBytes;
    }
}
