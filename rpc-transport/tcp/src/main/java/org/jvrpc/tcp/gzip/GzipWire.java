package org.jvrpc.tcp.gzip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jvrpc.tcp.link.Lender;
import org.jvrpc.tcp.link.Wire;

/**
 * Bytes that are packed where that makes them shorter: each buffer that is written by itself, in blocks of up to
 * 32 KiB, so that the length of one tells nothing of others. Memory is lent while blocks are under way; a connection
 * that is silent has none. One thread at a time.
 */
public final class GzipWire implements Wire {

    /** The most that one connection has of memory for blocks, in bytes. */
    static final long MOST_BYTES = GzipOut.BYTES + 2L * GzipIn.BYTES;

    private static final int MOST_IDLE = 16;
    private static final Lender<ByteBuffer> OUT = buffers(GzipOut.BYTES);
    private static final Lender<ByteBuffer> IN = buffers(GzipIn.BYTES);

    private final Wire wire;
    private final GzipOut out;
    private final GzipIn in;
    private final ByteBuffer[] single = new ByteBuffer[1];

    /** @param wire what packed bytes go through */
    public GzipWire(Wire wire) {
        this.wire = wire;
        this.out = new GzipOut(wire, OUT);
        this.in = new GzipIn(wire, IN);
    }

    /** Returns the most memory of one over a wire that has so much, in bytes. */
    public static long mostBytesOver(long wire) {
        return MOST_BYTES + wire;
    }

    @Override
    public long mostBytes() {
        return mostBytesOver(wire.mostBytes());
    }

    private static Lender<ByteBuffer> buffers(int bytes) {
        return new Lender<>(MOST_IDLE, () -> Block.allocate(bytes), buffer -> { });
    }

    @Override
    public SocketChannel channel() {
        return wire.channel();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return in.read(target);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        single[0] = source;
        return (int) write(single, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return out.write(sources, offset, length);
    }

    @Override
    public void drain() throws IOException {
        out.drain();
    }

    @Override
    public int pending() {
        return out.pending();
    }

    /** Its own goes as blocks do. */
    @Override
    public void rest() {
        wire.rest();
    }

    /** Returns how many bytes of memory it has now. */
    long held() {
        return out.held() + in.held();
    }

    @Override
    public String refusal() {
        return wire.refusal();
    }
}
