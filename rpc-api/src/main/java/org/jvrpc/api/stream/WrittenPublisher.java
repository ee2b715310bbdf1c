package org.jvrpc.api.stream;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.stub.StreamSink;
import org.jvrpc.api.stub.WritablePublisher;

/** A stream that somebody writes once it is subscribed to. */
final class WrittenPublisher<T> implements WritablePublisher<T> {

    private final Streams.Writing<StreamWriter<T>> writing;
    private final AtomicBoolean taken = new AtomicBoolean();

    WrittenPublisher(Streams.Writing<StreamWriter<T>> writing) {
        this.writing = writing;
    }

    @Override
    public Runnable attach(StreamSink<T> sink) {
        if (!taken.compareAndSet(false, true)) {
            throw new IllegalStateException("a written stream has one subscriber, and this one has it already");
        }
        return () -> write(sink);
    }

    private void write(StreamSink<T> sink) {
        try {
            writing.write(sink);
        } catch (Throwable t) {
            sink.fail(t);
            return;
        }
        sink.complete();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        SubscriberSink<T> sink = new SubscriberSink<>(subscriber);
        if (!taken.compareAndSet(false, true)) {
            sink.refuse(new IllegalStateException("a written stream has one subscriber, and this one has it already"));
            return;
        }
        if (sink.begin()) {
            Thread thread = new Thread(() -> write(sink), "jvrpc-stream-writer");
            thread.setDaemon(true);
            thread.start();
        }
    }
}
