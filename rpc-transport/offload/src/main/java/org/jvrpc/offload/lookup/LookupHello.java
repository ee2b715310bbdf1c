package org.jvrpc.offload.lookup;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What the two sides of a lookup's connection tell each other as private data. Big-endian.
 *
 * <pre>
 * request  0 magic:32 | 4 version:32 | 8 address of the answer:64 | 16 its bytes:32 | 20 its rkey:32
 *         24 bytes of the name:16, then the name in UTF-8
 * answer   0 magic:32 | 4 version:32 | 8 kind:32 | 12 rkey of the data:32 | 16 address of the header:64
 *         24 requests under way at once:32
 * </pre>
 * The client's memory begins with the word that tells which request is answered; the answer is at {@link #ANSWER}.
 */
final class LookupHello {

    static final int MAGIC = 0x4a4f464c;
    static final int VERSION = 1;
    static final int MAX_NAME = 240;
    /** Offset of the answer in the client's memory. */
    static final int ANSWER = 64;

    private LookupHello() {
    }

    /** What a client asks for. */
    record Request(long address, int bytes, int rkey, String name) {

        byte[] encode() {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(26 + text.length).putInt(MAGIC).putInt(VERSION).putLong(address).putInt(bytes)
                    .putInt(rkey).putShort((short) text.length).put(text).array();
        }

        /** Returns null when it is none. */
        static Request decode(byte[] data) {
            try {
                ByteBuffer in = ByteBuffer.wrap(data);
                if (in.getInt() != MAGIC || in.getInt() != VERSION) {
                    return null;
                }
                long address = in.getLong();
                int bytes = in.getInt();
                int rkey = in.getInt();
                byte[] text = new byte[in.getShort() & 0xffff];
                in.get(text);
                return bytes <= ANSWER ? null
                        : new Request(address, bytes, rkey, new String(text, StandardCharsets.UTF_8));
            } catch (BufferUnderflowException e) {
                return null;
            }
        }
    }

    /** What a host answers. */
    record Answer(int kind, int rkey, long header, int depth) {

        byte[] encode() {
            return ByteBuffer.allocate(28).putInt(MAGIC).putInt(VERSION).putInt(kind).putInt(rkey).putLong(header)
                    .putInt(depth).array();
        }

        /** Returns null when it is none. */
        static Answer decode(byte[] data) {
            ByteBuffer in = ByteBuffer.wrap(data);
            if (data.length < 28 || in.getInt() != MAGIC || in.getInt() != VERSION) {
                return null;
            }
            Answer answer = new Answer(in.getInt(), in.getInt(), in.getLong(), in.getInt());
            return answer.kind >= 0 && answer.kind < LookupKind.values().length ? answer : null;
        }
    }
}
