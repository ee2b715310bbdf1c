package org.jvrpc.benchmarks.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Streams of jvRPC: arguments of a call, written and read by threads that wait. */
final class JvrpcStreams implements BenchStreams {

    private static final int LOOK = 1 << 12;

    static String receive(String address) {
        return RpcServer.builder().bind(address).service(BenchStreams.class, new JvrpcStreams()).start().address();
    }

    @Override
    public long longs(Flow.Publisher<Long> values) {
        long count = 0;
        try (StreamReader.OfLong reader = Streams.longReader(values)) {
            while (reader.hasNext()) {
                if (reader.nextLong() != count++) {
                    throw new IllegalStateException("wrong element: " + count);
                }
            }
        }
        return count;
    }

    @Override
    public long buffers(Flow.Publisher<ByteBuffer> buffers) {
        long count = 0;
        try (StreamReader<ByteBuffer> reader = Streams.reader(buffers)) {
            while (reader.hasNext()) {
                ByteBuffer next = reader.next();
                if (next.get(0) != (byte) count || next.remaining() != StreamKind.BUFFER_BYTES) {
                    throw new IllegalStateException("wrong element: " + count);
                }
                count++;
            }
        }
        return count;
    }

    private static BenchStreams stub(String address) {
        return RpcClient.connect(address).stub(BenchStreams.class);
    }

    static StreamEnd.Sender longs(String address) {
        BenchStreams streams = stub(address);
        return durationNs -> streams.longs(Streams.writingLongs(writer -> {
            long endNs = System.nanoTime() + durationNs;
            for (long i = 0; i % LOOK != 0 || System.nanoTime() - endNs < 0; i++) {
                writer.writeLong(i);
            }
        }));
    }

    static StreamEnd.Sender buffers(String address) {
        BenchStreams streams = stub(address);
        ByteBuffer buffer = ByteBuffer.allocateDirect(StreamKind.BUFFER_BYTES);
        return durationNs -> streams.buffers(Streams.writing(writer -> {
            long endNs = System.nanoTime() + durationNs;
            for (long i = 0; System.nanoTime() - endNs < 0; i++) {
                buffer.put(0, (byte) i);
                writer.write(buffer);
            }
        }));
    }
}
