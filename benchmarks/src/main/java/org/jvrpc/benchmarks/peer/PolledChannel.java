package org.jvrpc.benchmarks.peer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * A channel that is read as jvRPC's links are: some times without a wait, then, where it does not spin, it sleeps in a
 * selector. Its bytes go as they are, or through an engine of TLS 1.3. One thread.
 */
final class PolledChannel implements AutoCloseable {

    /** As often jvRPC polls before it looks whether to sleep. */
    private static final int POLLS = 64;

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final Selector selector;
    private ByteBuffer netIn;
    private ByteBuffer netOut;
    private ByteBuffer received;

    /** @param engine null for none */
    PolledChannel(SocketChannel channel, SSLEngine engine, boolean spinning) throws IOException {
        this.channel = channel;
        this.engine = engine;
        channel.configureBlocking(false);
        selector = spinning ? null : Selector.open();
        if (selector != null) {
            channel.register(selector, SelectionKey.OP_READ);
        }
        if (engine != null) {
            netIn = ByteBuffer.allocateDirect(engine.getSession().getPacketBufferSize());
            received = ByteBuffer.allocateDirect(engine.getSession().getApplicationBufferSize()).limit(0);
            netOut = ByteBuffer.allocateDirect(engine.getSession().getPacketBufferSize());
            shakeHands();
        }
    }

    private void shakeHands() throws IOException {
        ByteBuffer nothing = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        engine.beginHandshake();
        HandshakeStatus status = engine.getHandshakeStatus();
        while (status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED) {
            switch (status) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> write(ByteBuffer.allocate(0));
                default -> {
                    if (open(nothing) < 0) {
                        throw new EOFException("the other side ended the hand-shake");
                    }
                }
            }
            status = engine.getHandshakeStatus();
        }
    }

    private int take(ByteBuffer target) {
        int count = Math.min(received.remaining(), target.remaining());
        int end = received.limit();
        target.put(received.limit(received.position() + count));
        received.limit(end);
        return count;
    }

    /** Opens a record of what was read before, else reads; returns bytes of the user's, 0 for none yet. */
    private int open(ByteBuffer target) throws IOException {
        if (received.hasRemaining()) {
            return take(target);
        }
        while (true) {
            if (netIn.position() > 0) {
                netIn.flip();
                SSLEngineResult result = engine.unwrap(netIn, received.clear());
                netIn.compact();
                received.flip();
                if (result.bytesConsumed() > 0) {
                    return take(target);
                }
            }
            int count = channel.read(netIn);
            if (count <= 0) {
                return count;
            }
        }
    }

    private int readOnce(ByteBuffer target) throws IOException {
        return engine == null ? channel.read(target) : open(target);
    }

    /** Reads what is there, some times; then sleeps until there is something, unless it spins. */
    int read(ByteBuffer target) throws IOException {
        int count = 0;
        for (int i = 0; i < POLLS && count == 0; i++) {
            count = readOnce(target);
        }
        if (count == 0 && selector != null) {
            selector.select(key -> { });
            count = readOnce(target);
        }
        return count;
    }

    /** Sends all of it. */
    void write(ByteBuffer source) throws IOException {
        if (engine == null) {
            writeAll(source);
            return;
        }
        do {
            netOut.clear();
            engine.wrap(source, netOut);
            writeAll(netOut.flip());
        } while (source.hasRemaining());
    }

    private void writeAll(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (selector != null) {
            selector.close();
        }
    }
}
