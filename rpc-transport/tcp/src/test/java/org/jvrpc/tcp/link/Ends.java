package org.jvrpc.tcp.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Function;
import org.jvrpc.runtime.memory.KeyedBodies;
import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.thread.Clock;

/** A link, and the other end of its stream. */
final class Ends implements AutoCloseable {

    static final int SLOTS = 4;
    static final int SLOT_BYTES = 256;

    final StreamLink link;
    /** Which blocks. */
    final SocketChannel peer;

    /** @param once as of a client's link */
    Ends(Clock clock, StreamEvents events, boolean once) throws IOException {
        this(clock, events, once, PlainWire::new);
    }

    /** @param wire of the link's socket */
    Ends(Clock clock, StreamEvents events, boolean once, Function<SocketChannel, Wire> wire) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress("127.0.0.1", 0));
            peer = SocketChannel.open(server.getLocalAddress());
            SocketChannel own = server.accept();
            own.configureBlocking(false);
            link = new StreamLink(clock, events, wire.apply(own), null,
                    new SlotFrames(null, SLOTS, SLOTS, SLOT_BYTES),
                    new KeyedBodies(null), SLOT_BYTES, once);
            link.begin();
        }
    }

    static ByteBuffer frames(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Puts a message of a header. */
    static ByteBuffer message(ByteBuffer frames, long first) {
        return frames.putInt(FrameHead.of(FrameHead.MESSAGE, 2 * Long.BYTES)).putLong(first).putLong(0);
    }

    static ByteBuffer ping(ByteBuffer frames, long number) {
        return frames.putInt(FrameHead.of(FrameHead.PING, Long.BYTES)).putLong(number);
    }

    void say(ByteBuffer frames) throws IOException {
        frames.flip();
        while (frames.hasRemaining()) {
            peer.write(frames);
        }
    }

    @Override
    public void close() throws IOException {
        peer.close();
        link.disconnect();
        link.close();
    }
}
