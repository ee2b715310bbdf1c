package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jvrpc.benchmarks.harness.LatencyLoop;
import org.jvrpc.benchmarks.harness.Pipeline;

/**
 * Gets at fixed times, whether or not those before were answered in time: each is timed from when it was due, so that a
 * pause of the server counts for all gets that fell into it. The histogram goes to the file of {@link #PROPERTY}.
 */
final class PacedGets implements Pipeline {

    /** The system property that names the file. */
    static final String PROPERTY = "jvrpc.bench.histogram";

    private final KvGet get;

    PacedGets(KvGet get) {
        this.get = get;
    }

    /** Gets. @param window microseconds from one get to the next */
    @Override
    public long run(int window, long endNs) throws Exception {
        Histogram histogram = LatencyLoop.histogram();
        long intervalNs = window * 1000L;
        for (long dueNs = System.nanoTime() + intervalNs; dueNs < endNs; dueNs += intervalNs) {
            get.before();
            while (System.nanoTime() < dueNs) {
                Thread.onSpinWait();
            }
            get.call();
            long tookNs = System.nanoTime() - dueNs;
            get.after();
            histogram.recordValue(Math.min(tookNs, LatencyLoop.MAX_NS));
        }
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        Files.write(Path.of(System.getProperty(PROPERTY)), Arrays.copyOf(bytes.array(), length));
        return histogram.getTotalCount();
    }

    /** Reads what a reader wrote. */
    static Histogram read(Path file) throws IOException {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Files.readAllBytes(file)), 1);
        } catch (DataFormatException e) {
            throw new IOException(file + " is not a histogram: " + e.getMessage(), e);
        }
    }
}
