package org.jvrpc.api.stream;

import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.StreamSink;
import org.jvrpc.api.stub.WritablePublisher;

/**
 * A stream with its writing end, for a thread that makes a call and then writes its argument: {@link #publisher} is
 * handed to the call, and the pipe is written to. A write waits until somebody has subscribed; it fails when the call
 * has failed before, or nobody does in time. One thread at a time writes; {@link #close} and {@link #fail} are for any,
 * and wait for nobody.
 *
 * @param <T> an element
 */
public final class StreamPipe<T> implements StreamWriter<T>, AutoCloseable {

    private final End end = new End();
    private final long limitNs;
    private @Nullable StreamSink<T> sink;
    /** Why nobody subscribes any more, or null. */
    private @Nullable Throwable abandoned;
    /** It was ended before somebody subscribed, by a failure or without one. */
    private boolean ended;
    private @Nullable Throwable failure;

    StreamPipe(long limitNs) {
        this.limitNs = limitNs;
    }

    /** Returns the stream to hand to a call. */
    private final class End implements WritablePublisher<T> {

        @Override
        public @Nullable Runnable attach(StreamSink<T> subscribed) {
            take(subscribed);
            endIfEnded();
            return null;
        }

        @Override
        public void abandon(Throwable cause) {
            StreamPipe.this.abandon(cause);
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
            endIfEnded();
        }
    }

    /** @param subscribed null to look whether there is none */
    private synchronized void take(@Nullable StreamSink<T> subscribed) {
        if (sink != null) {
            throw new IllegalStateException("a pipe has one subscriber, and this one has it already");
        }
        if (abandoned != null) {
            throw new IllegalStateException("the call of this pipe has failed: " + abandoned, abandoned);
        }
        sink = subscribed;
        notifyAll();
    }

    /** Returns the stream. */
    public Flow.Publisher<T> publisher() {
        return end;
    }

    private synchronized void abandon(Throwable cause) {
        abandoned = sink == null && abandoned == null ? cause : abandoned;
        notifyAll();
    }

    private synchronized StreamSink<T> sink() {
        long startNs = System.nanoTime();
        while (sink == null) {
            long leftNs = limitNs - (System.nanoTime() - startNs);
            if (ended) {
                throw new RpcException(Status.FAILED_PRECONDITION, "the stream was ended by its writer");
            }
            if (abandoned != null) {
                throw new RpcException(abandoned instanceof RpcException e ? e.status() : Status.CANCELLED,
                        "the call of this pipe has failed: " + abandoned.getMessage(), abandoned);
            }
            if (leftNs <= 0) {
                throw new RpcException(Status.DEADLINE_EXCEEDED, "nobody has subscribed to a pipe in ms="
                        + limitNs / 1_000_000);
            }
            CallWait.await(this, "nobody has subscribed to a pipe", leftNs);
        }
        return sink;
    }

    /** Ends a stream that has no subscriber as yet; false when it has one. */
    private synchronized boolean endEarly(@Nullable Throwable cause) {
        if (sink == null && !ended) {
            ended = true;
            failure = cause;
            notifyAll();
        }
        return sink == null;
    }

    private void endIfEnded() {
        @Nullable Throwable cause;
        synchronized (this) {
            if (!ended) {
                return;
            }
            cause = failure;
        }
        if (cause == null) {
            Objects.requireNonNull(sink, "sink").complete();
        } else {
            Objects.requireNonNull(sink, "sink").fail(cause);
        }
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
        if (!endEarly(Objects.requireNonNull(cause, "cause"))) {
            sink().fail(cause);
        }
    }

    /** Ends the stream behind what was written. Idempotent. */
    @Override
    public void close() {
        if (!endEarly(null)) {
            sink().complete();
        }
    }
}
