package org.jvrpc.tcp.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Bytes as they are. */
public record PlainWire(SocketChannel channel) implements Wire {

    @Override
    public int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return channel.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return channel.write(sources, offset, length);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return channel.write(sources);
    }

    @Override
    public void drain() {
        // nothing is kept
    }

    @Override
    public int pending() {
        return 0;
    }
}
