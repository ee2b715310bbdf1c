package org.jvrpc.tcp.link;

import java.io.IOException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;

/** What a link's bytes go through to its socket, none of which blocks. One thread at a time. */
public interface Wire extends ReadableByteChannel, GatheringByteChannel {

    /** Returns the socket. */
    SocketChannel channel();

    /** Sends what was taken, as far as the socket has room. */
    void drain() throws IOException;

    /** Returns why the peer is not to be trusted any more, or null. */
    default String refusal() {
        return null;
    }

    /** Returns how many bytes were taken and have not left. */
    int pending();

    /** Returns the most memory that it has at a time, in bytes, without that of the kernel. Any thread. */
    default long mostBytes() {
        return 0;
    }

    /** Gives back what it does not need while nothing comes and nothing goes. */
    default void rest() {
        // it has nothing
    }

    @Override
    default boolean isOpen() {
        return channel().isOpen();
    }

    @Override
    default void close() throws IOException {
        channel().close();
    }
}
