package org.jvrpc.runtime.stream;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stub.ReadablePublisher;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.ObjectCodec;

/** What comes of a stream, for one subscriber or one reader. Any thread. */
public abstract class IncomingPublisher<T> implements ReadablePublisher<T> {

    private final StreamCodec<T> codec;
    private final ObjectCodec objects;
    private final AtomicBoolean taken = new AtomicBoolean();

    protected IncomingPublisher(StreamCodec<T> codec, ObjectCodec objects) {
        this.codec = codec;
        this.objects = objects;
    }

    protected final StreamCodec<T> codec() {
        return codec;
    }

    /** Returns the stream, which receives. Once. @throws RuntimeException where there can be none */
    protected abstract Stream stream();

    /** The consumer is there. Once, behind {@link #stream}. */
    protected abstract void begin(Stream stream);

    @Override
    public final StreamReader<T> open() {
        if (!taken.compareAndSet(false, true)) {
            throw second();
        }
        Stream stream = stream();
        InflowReader<T> reader = InflowReader.of(stream, codec, objects);
        stream.consumer(reader, null);
        begin(stream);
        reader.filled();
        return reader;
    }

    private static IllegalStateException second() {
        return new IllegalStateException("a stream has one subscriber, and this one has it already");
    }

    @Override
    public final void subscribe(Flow.Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        if (!taken.compareAndSet(false, true)) {
            refuse(subscriber, second());
            return;
        }
        Stream stream;
        try {
            stream = stream();
        } catch (RuntimeException e) {
            refuse(subscriber, e);
            return;
        }
        InflowSubscription<T> subscription = new InflowSubscription<>(stream, codec, objects, subscriber);
        stream.consumer(subscription, subscription);
        if (subscription.begin()) {
            begin(stream);
        }
    }

    private static void refuse(Flow.Subscriber<?> subscriber, RuntimeException why) {
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                // nothing comes
            }

            @Override
            public void cancel() {
                // nothing does
            }
        });
        subscriber.onError(why);
    }
}
