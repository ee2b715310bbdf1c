package org.jvrpc.api.stream;

import java.util.Objects;
import java.util.concurrent.Flow;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.StreamSink;
import org.jvrpc.api.stub.WritablePublisher;

/**
 * A stream with its writing end, for a thread that makes a call and then writes its argument: {@link #publisher} is
 * handed to the call, and the pipe is written to. A write waits until somebody has subscribed. One thread at a time
 * writes.
 *
 * @param <T> an element
 */
public final class StreamPipe<T> implements StreamWriter<T>, AutoCloseable {

    private final End end = new End();
    private StreamSink<T> sink;

    StreamPipe() {
    }

    /** What is handed to a call. */
    private final class End implements WritablePublisher<T> {

        @Override
        public Runnable attach(StreamSink<T> subscribed) {
            take(subscribed);
            return null;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super T> subscriber) {
            Objects.requireNonNull(subscriber, "subscriber");
            SubscriberSink<T> subscribed = new SubscriberSink<>(subscriber);
            try {
                take(null);
            } catch (IllegalStateException e) {
                subscribed.refuse(e);
                return;
            }
            subscribed.begin();
            take(subscribed);
        }
    }

    /** @param subscribed null to look whether there is none */
    private synchronized void take(StreamSink<T> subscribed) {
        if (sink != null) {
            throw new IllegalStateException("a pipe has one subscriber, and this one has it already");
        }
        sink = subscribed;
        notifyAll();
    }

    /** Returns the stream. */
    public Flow.Publisher<T> publisher() {
        return end;
    }

    private synchronized StreamSink<T> sink() {
        while (sink == null) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RpcException(Status.CANCELLED, "interrupted while nobody has subscribed to a pipe", e);
            }
        }
        return sink;
    }

    @Override
    public void write(T element) {
        sink().write(element);
    }

    @Override
    public void flush() {
        sink().flush();
    }

    /** Ends the stream with a failure, which the other side gets behind what was written. */
    public void fail(Throwable cause) {
        sink().fail(cause);
    }

    /** Ends the stream behind what was written. Idempotent. */
    @Override
    public void close() {
        sink().complete();
    }
}
