package org.jvrpc.tcp.gzip;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;
import org.jvrpc.tcp.link.Wire;

/** A wire of no socket, which moves as many bytes at a time as chance has it; what was written can be read. */
final class Pipe implements Wire {

    private final SplittableRandom random;
    private final int most;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int read;
    private boolean ended;
    /** How often it was told that nothing comes and goes. */
    int rests;

    /** @param most bytes moved at a time */
    Pipe(long seed, int most) {
        this.random = new SplittableRandom(seed);
        this.most = most;
    }

    /** Returns one that has these bytes and then ends. */
    static Pipe of(byte[] bytes) {
        Pipe pipe = new Pipe(0, Integer.MAX_VALUE - 1);
        pipe.bytes.writeBytes(bytes);
        pipe.ended = true;
        return pipe;
    }

    byte[] all() {
        return bytes.toByteArray();
    }

    @Override
    public SocketChannel channel() {
        throw new AssertionError("there is none");
    }

    @Override
    public int read(ByteBuffer target) {
        int left = bytes.size() - read;
        int count = Math.min(Math.min(left, target.remaining()), ended ? left : random.nextInt(most + 1));
        target.put(bytes.toByteArray(), read, count);
        read += count;
        return left == 0 && ended ? -1 : count;
    }

    @Override
    public int write(ByteBuffer source) {
        int count = Math.min(source.remaining(), random.nextInt(most + 1));
        for (int i = 0; i < count; i++) {
            bytes.write(source.get());
        }
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new AssertionError("one at a time");
    }

    @Override
    public long write(ByteBuffer[] sources) {
        throw new AssertionError("one at a time");
    }

    @Override
    public void rest() {
        rests++;
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
