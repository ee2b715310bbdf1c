package org.jvrpc.benchmarks.harness;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** How a child hands a histogram to the run that started it: by the file of {@link #PROPERTY}. */
public final class HistogramFile {

    /** The system property that names the file. */
    public static final String PROPERTY = "jvrpc.bench.histogram";

    private HistogramFile() {
    }

    /** Writes the file of this process. */
    public static void write(Histogram histogram) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        Files.write(Path.of(System.getProperty(PROPERTY)), Arrays.copyOf(bytes.array(), length));
    }

    /** Reads what a child wrote. @throws IOException also when it is no histogram */
    public static Histogram read(Path file) throws IOException {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Files.readAllBytes(file)), 1);
        } catch (DataFormatException e) {
            throw new IOException(file + " is not a histogram: " + e.getMessage(), e);
        }
    }
}
