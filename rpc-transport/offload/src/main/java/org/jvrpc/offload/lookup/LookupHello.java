package org.jvrpc.offload.lookup;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.offload.wr.LapIndex;

/**
 * What the two sides of a lookup's connection tell each other as private data. Big-endian.
 *
 * <pre>
 * request  0 magic:32 | 4 version:32 | 8 address of the answer:64 | 16 its bytes:32 | 20 its rkey:32
 *         24 bytes of the name:16, then the name in UTF-8
 * answer   0 magic:32 | 4 version:32 | 8 kind:32 | 12 rkey of the data:32 | 16 address of the header:64
 *         24 requests under way at once:32 | 28 indices that each request brings:32 | 32 first:32, step:32 of each
 * </pre>
 * The client's memory begins with the word that tells which request is answered; the answer is at {@link #ANSWER}.
 */
final class LookupHello {

    static final int MAGIC = 0x4a4f464c;
    static final int VERSION = 2;
    static final int MAX_NAME = 240;
    /** The most indices that a request brings. */
    static final int MAX_INDICES = 8;
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
    record Answer(int kind, int rkey, long header, int depth, List<LapIndex> indices) {

        /** Of a program whose requests bring no indices. */
        Answer(int kind, int rkey, long header, int depth) {
            this(kind, rkey, header, depth, List.of());
        }

        byte[] encode() {
            ByteBuffer out = ByteBuffer.allocate(32 + 8 * indices.size()).putInt(MAGIC).putInt(VERSION).putInt(kind)
                    .putInt(rkey).putLong(header).putInt(depth).putInt(indices.size());
            indices.forEach(index -> out.putInt(index.first()).putInt(index.step()));
            return out.array();
        }

        /** Returns null when it is none. */
        static Answer decode(byte[] data) {
            try {
                ByteBuffer in = ByteBuffer.wrap(data);
                if (in.getInt() != MAGIC || in.getInt() != VERSION) {
                    return null;
                }
                int kind = in.getInt();
                int rkey = in.getInt();
                long header = in.getLong();
                int depth = in.getInt();
                int count = in.getInt();
                List<LapIndex> indices = new ArrayList<>();
                for (int i = 0; i < count && count <= MAX_INDICES; i++) {
                    indices.add(new LapIndex(in.getInt(), in.getInt()));
                }
                boolean isSane = count >= 0 && count <= MAX_INDICES && kind >= 0 && kind < LookupKind.values().length;
                return isSane ? new Answer(kind, rkey, header, depth, List.copyOf(indices)) : null;
            } catch (BufferUnderflowException e) {
                return null;
            }
        }
    }
}
