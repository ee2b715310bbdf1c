package org.jvrpc.api.stream;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jvrpc.api.stub.ReadablePublisher;

/**
 * Readers and writers from publishers, and publishers from writers. Streams of jvRPC are read and written straight from
 * and to their own memory; of other publishers a reader keeps a few elements, which it has asked for.
 */
public final class Streams {

    private Streams() {
    }

    /** Writes a stream. It runs once, by a thread that may wait; its end is that of the stream. */
    @FunctionalInterface
    public interface Writing<W> {

        /** Writes the elements. @throws Exception what the stream fails with */
        void write(W writer) throws Exception;
    }

    /** Subscribes a reader. @throws IllegalStateException where a stream of jvRPC has a subscriber */
    public static <T> StreamReader<T> reader(Flow.Publisher<T> publisher) {
        Objects.requireNonNull(publisher, "publisher");
        return publisher instanceof ReadablePublisher<T> readable ? readable.open() : PrefetchReader.of(publisher);
    }

    /** As {@link #reader}, without a box where the stream is one of jvRPC. */
    public static StreamReader.OfInt intReader(Flow.Publisher<Integer> publisher) {
        StreamReader<Integer> reader = reader(publisher);
        return reader instanceof StreamReader.OfInt unboxed ? unboxed : new Unboxed.Ints(reader);
    }

    /** As {@link #reader}, without a box where the stream is one of jvRPC. */
    public static StreamReader.OfLong longReader(Flow.Publisher<Long> publisher) {
        StreamReader<Long> reader = reader(publisher);
        return reader instanceof StreamReader.OfLong unboxed ? unboxed : new Unboxed.Longs(reader);
    }

    /** As {@link #reader}, without a box where the stream is one of jvRPC. */
    public static StreamReader.OfDouble doubleReader(Flow.Publisher<Double> publisher) {
        StreamReader<Double> reader = reader(publisher);
        return reader instanceof StreamReader.OfDouble unboxed ? unboxed : new Unboxed.Doubles(reader);
    }

    /**
     * Returns a stream that is written once somebody subscribes: in a call that waits for its answer by the caller, of
     * a handler by the server's executor, else by a thread of its own; not at all where the call ends before a thread
     * is free. For one subscriber.
     */
    public static <T> Flow.Publisher<T> writing(Writing<StreamWriter<T>> writing) {
        return new WrittenPublisher<>(Objects.requireNonNull(writing, "writing"));
    }

    /** As {@link #writing}, without a box where the stream is sent by jvRPC. */
    public static Flow.Publisher<Integer> writingInts(Writing<StreamWriter.OfInt> writing) {
        Objects.requireNonNull(writing, "writing");
        return new WrittenPublisher<>(writer -> writing.write(
                writer instanceof StreamWriter.OfInt unboxed ? unboxed : new Boxed.Ints(writer)));
    }

    /** As {@link #writing}, without a box where the stream is sent by jvRPC. */
    public static Flow.Publisher<Long> writingLongs(Writing<StreamWriter.OfLong> writing) {
        Objects.requireNonNull(writing, "writing");
        return new WrittenPublisher<>(writer -> writing.write(
                writer instanceof StreamWriter.OfLong unboxed ? unboxed : new Boxed.Longs(writer)));
    }

    /** As {@link #writing}, without a box where the stream is sent by jvRPC. */
    public static Flow.Publisher<Double> writingDoubles(Writing<StreamWriter.OfDouble> writing) {
        Objects.requireNonNull(writing, "writing");
        return new WrittenPublisher<>(writer -> writing.write(
                writer instanceof StreamWriter.OfDouble unboxed ? unboxed : new Boxed.Doubles(writer)));
    }

    /**
     * Returns a stream and its writer, for a thread that goes on with the call: see {@link StreamPipe}. Its writer
     * waits for a minute at most until somebody subscribes.
     */
    public static <T> StreamPipe<T> pipe() {
        return pipe(Duration.ofMinutes(1));
    }

    /**
     * As {@link #pipe()}.
     *
     * @param limit how long a write waits until somebody subscribes, more than 0: DEADLINE_EXCEEDED then
     */
    public static <T> StreamPipe<T> pipe(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("limit must be more than 0, limit=" + limit);
        }
        return new StreamPipe<>(limit.toNanos());
    }
}
