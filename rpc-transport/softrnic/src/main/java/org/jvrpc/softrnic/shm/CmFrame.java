package org.jvrpc.softrnic.shm;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import org.jvrpc.verbs.Device;

/**
 * A frame of connection management, on the Unix-domain socket of a connection. Little-endian.
 *
 * <pre>
 * 0 magic:32 | 4 version:16 | 6 type:8 | 7 zero | 8 length:32 of what follows | 12 endpoint length:16
 * 14 endpoint | private data
 * </pre>
 * After the answer single bytes travel: {@link #WAKE} to a process whose CQ is armed, {@link #BYE} when the sender's QP
 * is closed, so that it writes to the receiver's memory no more.
 *
 * @param type {@link #REQUEST}, {@link #ACCEPT} or {@link #REJECT}
 * @param version of the sender's protocol
 * @param endpoint of the sender's QP, see {@link org.jvrpc.verbs.QueuePair#endpoint()}
 * @param privateData of whoever uses the connection
 */
record CmFrame(int type, int version, byte[] endpoint, byte[] privateData) {

    static final int VERSION = 2;
    static final int REQUEST = 1;
    static final int ACCEPT = 2;
    static final int REJECT = 3;
    static final byte WAKE = 'W';
    static final byte BYE = 'B';

    private static final int MAGIC = 0x6d63766a;
    private static final int HEADER = 12;
    private static final int MAX_ENDPOINT = 256;
    /** The longest frame, in bytes. */
    static final int MAX_BYTES = HEADER + 2 + MAX_ENDPOINT + Device.MAX_PRIVATE_BYTES;

    static CmFrame of(int type, byte[] endpoint, byte[] privateData) {
        if (privateData.length > Device.MAX_PRIVATE_BYTES) {
            throw new IllegalArgumentException("private data is too long: bytes=" + privateData.length + " limit="
                    + Device.MAX_PRIVATE_BYTES);
        }
        return new CmFrame(type, VERSION, endpoint, privateData);
    }

    ByteBuffer encode() {
        int length = 2 + endpoint.length + privateData.length;
        return ByteBuffer.allocate(HEADER + length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort((short) version)
                .put((byte) type)
                .put((byte) 0)
                .putInt(length)
                .putShort((short) endpoint.length)
                .put(endpoint)
                .put(privateData)
                .flip();
    }

    /** Writes the frame, which is smaller than any socket buffer, to a non-blocking channel. */
    void write(SocketChannel channel) throws IOException {
        ByteBuffer bytes = encode();
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                throw new IOException("socket buffer is full, bytes left=" + bytes.remaining());
            }
        }
    }

    /** Reads frames from a non-blocking channel, piece by piece. One thread. */
    static final class Reader {

        private final ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);

        Reader() {
            bytes.limit(HEADER);
        }

        /** Returns the frame, or null when more must come. Takes no byte past the frame. */
        CmFrame read(SocketChannel channel) throws IOException {
            while (true) {
                if (channel.read(bytes) < 0) {
                    throw new EOFException("peer closed the connection");
                }
                if (bytes.hasRemaining()) {
                    return null;
                }
                if (bytes.position() > HEADER) {
                    return decode();
                }
                bytes.limit(HEADER + checkHeader());
            }
        }

        private int checkHeader() throws IOException {
            int length = bytes.getInt(8);
            if (bytes.getInt(0) != MAGIC || length < 2 || length > MAX_BYTES - HEADER) {
                throw new IOException("not a frame of connection management: magic=0x"
                        + Integer.toHexString(bytes.getInt(0)) + " length=" + length);
            }
            return length;
        }

        private CmFrame decode() throws IOException {
            int length = checkHeader();
            int endpointLength = bytes.getShort(HEADER) & 0xffff;
            if (endpointLength > length - 2) {
                throw new IOException("endpoint length=" + endpointLength + " in a frame of length=" + length);
            }
            byte[] endpoint = new byte[endpointLength];
            byte[] privateData = new byte[length - 2 - endpointLength];
            bytes.get(HEADER + 2, endpoint).get(HEADER + 2 + endpointLength, privateData);
            return new CmFrame(bytes.get(6), bytes.getShort(4), endpoint, privateData);
        }
    }
}
