package org.jvrpc.ibverbs.differential;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.ffi.LibraryLoader;
import jnr.ffi.types.size_t;
import jnr.ffi.types.ssize_t;

/**
 * Whole frames of one network device, as they come and go. Source: packet(7). One thread receives, any sends.
 *
 * <pre>
 * struct sockaddr_ll:  0 family:16 | 2 protocol:16, big-endian | 4 interface index:32 | 8 what bind(2) does not read
 * </pre>
 */
final class PacketSocket implements AutoCloseable {

    /** What is used of libc. */
    public interface Calls {

        int socket(int domain, int type, int protocol);

        int bind(int fd, ByteBuffer address, int length);

        int setsockopt(int fd, int level, int option, ByteBuffer value, int length);

        @ssize_t long recv(int fd, ByteBuffer buffer, @size_t long length, int flags);

        @ssize_t long send(int fd, ByteBuffer buffer, @size_t long length, int flags);

        int close(int fd);
    }

    private static final Calls C = LibraryLoader.create(Calls.class).load("c");
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW = 3;
    private static final short ETH_P_ALL = 3;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVBUF = 8;
    private static final int SO_RCVTIMEO = 20;
    private static final int SOL_PACKET = 263;
    private static final int PACKET_IGNORE_OUTGOING = 23;
    private static final int RECEIVE_BYTES = 1 << 21;
    private static final int ADDRESS_BYTES = 20;

    private final int fd;

    /** Takes and sends what passes a network device. @param timeoutUs how long {@link #receive} waits */
    PacketSocket(String device, int timeoutUs) {
        fd = C.socket(AF_PACKET, SOCK_RAW, Short.reverseBytes(ETH_P_ALL) & 0xffff);
        check("socket", device, fd);
        option(device, SOL_SOCKET, SO_RCVBUF, buffer(4).putInt(0, RECEIVE_BYTES));
        option(device, SOL_SOCKET, SO_RCVTIMEO, buffer(16).putLong(8, timeoutUs));
        option(device, SOL_PACKET, PACKET_IGNORE_OUTGOING, buffer(4).putInt(0, 1));
        ByteBuffer address = buffer(ADDRESS_BYTES).putShort(0, (short) AF_PACKET)
                .putShort(2, Short.reverseBytes(ETH_P_ALL)).putInt(4, index(device));
        check("bind", device, C.bind(fd, address, ADDRESS_BYTES));
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private static int index(String device) {
        try {
            return Integer.parseInt(Files.readString(Path.of("/sys/class/net", device, "ifindex")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void check(String call, String device, int result) {
        if (result < 0) {
            throw new IllegalStateException(call + " of a packet socket failed, device=" + device);
        }
    }

    private void option(String device, int level, int option, ByteBuffer value) {
        check("setsockopt " + option, device, C.setsockopt(fd, level, option, value, value.capacity()));
    }

    /** Waits for the next frame, which lies from 0 to the limit then; false when there was none in time. */
    boolean receive(ByteBuffer frame) {
        frame.clear();
        int length = (int) C.recv(fd, frame, frame.capacity(), 0);
        frame.limit(Math.max(0, length));
        return length > 0;
    }

    /** Sends what lies from 0 to the limit. */
    void send(ByteBuffer frame) {
        frame.position(0);
        C.send(fd, frame, frame.limit(), 0);
    }

    @Override
    public void close() {
        C.close(fd);
    }
}
