package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.verbs.ConnectionException;

/**
 * What the two sides say when they connect, as private data of the connection: what the client asks for, what the
 * server grants. Little-endian.
 *
 * <pre>
 * 0 magic:32 | 4 version:16 | 6 slots:16 | 8 slot bytes:32 | 12 one-way credits:32 | 16 max body:64 | 24 session:64
 * </pre>
 * A server that refuses sends {@code 0 status:8 | 1 text in UTF-8}.
 *
 * @param version of the protocol, {@link RpcHeader#VERSION}
 * @param slots calls in flight
 * @param slotBytes longest body without rendezvous
 * @param oneWayCredits one-way calls in flight; 0 in a request
 * @param maxBodyBytes longest body that the sender takes
 * @param session number of the session on the server; 0 in a request
 */
record Hello(int version, int slots, int slotBytes, int oneWayCredits, long maxBodyBytes, long session) {

    private static final int MAGIC = 0x5052766a;
    private static final int BYTES = 32;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort((short) version)
                .putShort((short) slots)
                .putInt(slotBytes)
                .putInt(oneWayCredits)
                .putLong(maxBodyBytes)
                .putLong(session)
                .array();
    }

    /** Returns what the bytes say, or null when they are none of these. */
    static Hello decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < BYTES || in.getInt() != MAGIC) {
            return null;
        }
        return new Hello(in.getShort() & 0xffff, in.getShort() & 0xffff, in.getInt(), in.getInt(), in.getLong(),
                in.getLong());
    }

    /** Returns why a server cannot serve this client, or null when it can. */
    static String refusal(Hello hello, Settings settings) {
        if (hello == null) {
            return "not a jvRPC client";
        }
        if (hello.version != RpcHeader.VERSION) {
            return "protocol version differs: server=" + RpcHeader.VERSION + " client=" + hello.version;
        }
        if (hello.slots < 1 || hello.slots > RpcHeader.MAX_SLOTS || hello.slotBytes < Settings.MIN_SLOT_BYTES
                || hello.slotBytes > Settings.MAX_SLOT_BYTES || hello.maxBodyBytes < hello.slotBytes) {
            return "client asks for what cannot be: slots=" + hello.slots + " slotBytes=" + hello.slotBytes
                    + " maxBodyBytes=" + hello.maxBodyBytes;
        }
        long bytes = (long) hello.slots * hello.slotBytes;
        return bytes > settings.maxSessionBytes()
                ? "client asks for bytes=" + bytes + " of slots, the server grants " + settings.maxSessionBytes()
                : null;
    }

    /** Writes a refusal, cut to so many bytes, which the device's answers may hold. */
    static byte[] refuse(Status status, String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, most - 1);
        while (length > 0 && length < bytes.length && (bytes[length] & 0xc0) == 0x80) {
            length--; // not within a character
        }
        return ByteBuffer.allocate(1 + length).put((byte) status.code()).put(bytes, 0, length).array();
    }

    /** Reads a refusal, which may come from somebody who is no server of this kind. */
    static RpcException refused(ConnectionException e) {
        byte[] bytes = e.privateData();
        boolean known = bytes.length > 0 && bytes[0] > 0 && bytes[0] < Status.values().length;
        int from = known ? 1 : 0;
        String text = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
        return new RpcException(known ? Status.ofCode(bytes[0]) : Status.FAILED_PRECONDITION,
                e.getMessage() + (text.isEmpty() ? "" : ": " + text), e);
    }
}
