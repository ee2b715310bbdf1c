package org.jvrpc.runtime.contract.stream;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.stream.server.Sum;

/** The handlers, and what they saw. */
final class FeedImpl implements Feed {

    final AtomicInteger cancels = new AtomicInteger();
    final AtomicInteger subscribed = new AtomicInteger();
    /** Writers and readers of {@link #count} and {@link #sum}, and of custom ones, each of which adds how it ends. */
    final AtomicInteger begun = new AtomicInteger();
    final List<String> ends = java.util.Collections.synchronizedList(new ArrayList<>());
    volatile Flow.Publisher<Long> custom;
    volatile Flow.Subscriber<Long> consumer;
    volatile CompletableFuture<Long> consumed = new CompletableFuture<>();

    @Override
    public Flow.Publisher<Tick> ticks(String symbol, long count) throws NoFeedException {
        if (symbol.equals("none")) {
            throw new NoFeedException(symbol);
        }
        return new Range<>(count, number -> new Tick(number, symbol, number / 2.0),
                symbol.equals("broken") ? new NoFeedException(symbol)
                        : symbol.equals("bad") ? new IllegalStateException("bad feed") : null, cancels);
    }

    @Override
    public Flow.Publisher<Long> count(long count) {
        return Streams.writingLongs(writer -> {
            begun.incrementAndGet();
            try {
                for (long i = 0; i < count; i++) {
                    writer.writeLong(i);
                }
            } catch (RpcException e) {
                ends.add(e.status().toString());
                throw e;
            }
        });
    }

    @Override
    public Flow.Publisher<ByteBuffer> buffers(int length, int count) {
        return Streams.writing(writer -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(length);
            for (int i = 0; i < count; i++) {
                for (int at = 0; at < length; at++) {
                    buffer.put(at, (byte) i);
                }
                writer.write(buffer);
            }
        });
    }

    @Override
    public long sum(Flow.Publisher<Long> values) {
        return sumOf(values, Integer.MAX_VALUE);
    }

    @Override
    public long sumOf(Flow.Publisher<Long> values, int most) {
        begun.incrementAndGet();
        long sum = 0;
        try (StreamReader.OfLong reader = Streams.longReader(values)) {
            for (int i = 0; i < most && reader.hasNext(); i++) {
                sum += reader.nextLong();
            }
        } catch (RpcException e) {
            ends.add(e.status().toString());
            throw e;
        }
        return sum;
    }

    @Override
    public long measure(Flow.Publisher<ByteBuffer> buffers) throws NoFeedException {
        long bytes = 0;
        try (StreamReader<ByteBuffer> reader = Streams.reader(buffers)) {
            for (int i = 0; reader.hasNext(); i++) {
                ByteBuffer next = reader.next();
                for (int at = 0; at < next.remaining(); at++) {
                    if (next.get(at) != (byte) i) {
                        throw new NoFeedException("buffer " + i + " at " + at);
                    }
                }
                bytes += next.remaining();
            }
        } catch (RpcException e) {
            ends.add(e.status().toString());
            throw e;
        }
        return bytes;
    }

    @Override
    public CompletableFuture<Long> sumLater(Flow.Publisher<Long> values) {
        return Sum.of(values);
    }

    @Override
    public Flow.Publisher<String> shout(Flow.Publisher<String> lines) {
        return Streams.writing(writer -> {
            try (StreamReader<String> reader = Streams.reader(lines)) {
                while (reader.hasNext()) {
                    writer.write(reader.next().toUpperCase(Locale.ROOT));
                }
            }
        });
    }

    @Override
    public Flow.Publisher<String> mirror(Flow.Publisher<String> lines) {
        return lines;
    }

    @Override
    public Flow.Publisher<Long> silence() {
        SubmissionPublisher<Long> silent = new SubmissionPublisher<>();
        return subscriber -> {
            subscribed.incrementAndGet();
            silent.subscribe(new Watched<>(subscriber, cancels));
        };
    }

    @Override
    public Flow.Publisher<Long> custom() {
        if (custom == null) {
            throw new RpcException(Status.NOT_FOUND, "no publisher was set");
        }
        return custom;
    }

    @Override
    public int add(int a, int b) {
        return a + b;
    }

    @Override
    public CompletableFuture<Long> consume(Flow.Publisher<Long> values) {
        values.subscribe(consumer);
        return consumed;
    }

    @Override
    public CompletableFuture<Long> firstByALightHandler(Flow.Publisher<Long> values) {
        try (StreamReader.OfLong reader = Streams.longReader(values)) {
            return CompletableFuture.completedFuture(reader.nextLong());
        }
    }

    @Override
    public Flow.Publisher<Integer> ints() {
        return Streams.writingInts(writer -> {
            for (int i = 0;; i++) {
                writer.writeInt(i);
            }
        });
    }

    @Override
    public Flow.Publisher<Double> doubles() {
        return Streams.writingDoubles(writer -> {
            for (double i = 0;; i++) {
                writer.writeDouble(i);
            }
        });
    }

    @Override
    public long skim(Flow.Publisher<ByteBuffer> buffers) {
        long bytes = 0;
        try (StreamReader<ByteBuffer> reader = Streams.reader(buffers)) {
            while (reader.hasNext()) {
                bytes += reader.next().remaining();
            }
        }
        return bytes;
    }
}
