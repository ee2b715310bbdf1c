package org.jvrpc.benchmarks.limit;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The mapped file of a ping-pong. Each word stands alone in 128 bytes, because processors fetch lines in pairs.
 *
 * <pre>
 * 0        unused
 * 128      ping: written by the client, number of the call
 * 256      pong: written by the server, the same number
 * 384      size: written by the client before ping, bytes to fill; only of the copy limits
 * 4096     data: only of the copy limits
 * </pre>
 */
final class Lines {

    static final int PING = 128;
    static final int PONG = 256;
    static final int SIZE = 384;
    static final int DATA = 4096;

    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final MappedByteBuffer buffer;

    private Lines(MappedByteBuffer buffer) {
        this.buffer = buffer;
    }

    static Lines map(Path file, int dataBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return new Lines(channel.map(FileChannel.MapMode.READ_WRITE, 0, DATA + dataBytes));
        }
    }

    MappedByteBuffer buffer() {
        return buffer;
    }

    /** Stores with release: what was written before is seen by whoever loads the value with {@link #awaitValue}. */
    void publish(int offset, long value) {
        LONG.setRelease(buffer, offset, value);
    }

    /** Loads with acquire. */
    long load(int offset) {
        return (long) LONG.getAcquire(buffer, offset);
    }

    void awaitValue(int offset, long value) {
        while ((long) LONG.getAcquire(buffer, offset) != value) {
            Thread.onSpinWait();
        }
    }
}
