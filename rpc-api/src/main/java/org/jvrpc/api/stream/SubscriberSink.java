package org.jvrpc.api.stream;

import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.StreamSink;

/** Writes to a subscriber of any kind, and waits while that asks for nothing. The writer's thread, but for requests. */
final class SubscriberSink<T> implements StreamSink<T>, Flow.Subscription {

    private final Flow.Subscriber<? super T> subscriber;
    private long demand;
    private boolean cancelled;
    private @Nullable IllegalArgumentException refused;
    private boolean ended;

    SubscriberSink(Flow.Subscriber<? super T> subscriber) {
        this.subscriber = subscriber;
    }

    /** Begins; false when the subscriber wants nothing. */
    boolean begin() {
        subscriber.onSubscribe(this);
        synchronized (this) {
            return !cancelled;
        }
    }

    /** Refuses a subscriber. */
    void refuse(IllegalStateException why) {
        subscriber.onSubscribe(this);
        ended = true;
        subscriber.onError(why);
    }

    @Override
    public synchronized void request(long count) {
        if (count <= 0) {
            refused = new IllegalArgumentException("a subscriber asks for " + count
                    + " elements: it must be more than 0 (reactive streams, 3.9)");
        } else {
            demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
        }
        notifyAll();
    }

    @Override
    public synchronized void cancel() {
        cancelled = true;
        notifyAll();
    }

    private synchronized void awaitDemand() {
        while (demand == 0 && !cancelled && refused == null) {
            CallWait.await(this, "a subscriber asks for nothing", Long.MAX_VALUE);
        }
        if (cancelled || ended) {
            throw new RpcException(Status.CANCELLED, "the stream's receiver wants no more");
        }
        if (refused != null) {
            throw refused;
        }
        demand -= demand == Long.MAX_VALUE ? 0 : 1;
    }

    @Override
    public void write(T element) {
        Objects.requireNonNull(element, "element");
        awaitDemand();
        subscriber.onNext(element);
    }

    @Override
    public void flush() {
        // nothing waits
    }

    private synchronized boolean isWanted() {
        boolean wanted = !ended && !cancelled;
        ended = true;
        return wanted;
    }

    @Override
    public void complete() {
        if (isWanted()) {
            if (refused != null) {
                subscriber.onError(refused);
            } else {
                subscriber.onComplete();
            }
        }
    }

    @Override
    public void fail(Throwable cause) {
        if (isWanted()) {
            subscriber.onError(refused != null ? refused : cause);
        }
    }
}
