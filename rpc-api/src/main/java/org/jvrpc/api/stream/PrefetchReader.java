package org.jvrpc.api.stream;

import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** Reads a publisher of any kind, of which it has asked for a few elements. */
final class PrefetchReader<T> implements StreamReader<T>, Flow.Subscriber<T> {

    private static final int PREFETCH = 64;

    private final ArrayDeque<T> elements = new ArrayDeque<>();
    private Flow.@Nullable Subscription upstream;
    private int taken;
    private boolean ended;
    private boolean closed;
    private @Nullable Throwable failure;

    static <T> PrefetchReader<T> of(Flow.Publisher<T> publisher) {
        PrefetchReader<T> reader = new PrefetchReader<>();
        publisher.subscribe(reader);
        return reader;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        Objects.requireNonNull(subscription, "subscription");
        boolean wanted;
        synchronized (this) {
            wanted = upstream == null && !closed;
            upstream = upstream == null ? subscription : upstream;
        }
        if (wanted) {
            subscription.request(PREFETCH);
        } else {
            subscription.cancel();
        }
    }

    @Override
    public synchronized void onNext(T element) {
        Objects.requireNonNull(element, "element");
        if (!closed && elements.size() < PREFETCH) {
            elements.add(element);
            notifyAll();
        }
    }

    @Override
    public synchronized void onError(Throwable cause) {
        failure = Objects.requireNonNull(cause, "cause");
        ended = true;
        notifyAll();
    }

    @Override
    public synchronized void onComplete() {
        ended = true;
        notifyAll();
    }

    @Override
    public synchronized boolean hasNext() {
        while (elements.isEmpty() && !ended && !closed) {
            try {
                CallWait.await(this, "a publisher brings nothing", Long.MAX_VALUE);
            } catch (RpcException e) {
                close();
                throw e;
            }
        }
        if (closed) {
            throw new RpcException(Status.CANCELLED, "reader is closed");
        }
        if (elements.isEmpty() && failure != null) {
            throw failure instanceof RpcException e ? again(e)
                    : new RpcException(Status.UNKNOWN, failure.toString(), failure);
        }
        return !elements.isEmpty();
    }

    /** Returns the same failure, with the stack of whoever reads. */
    private static RpcException again(RpcException failure) {
        RpcException copy = failure.mayHaveRun() ? new RpcException(failure.status(), failure.getMessage(), failure)
                : RpcException.notRun(failure.status(), failure.getMessage(), failure);
        return failure.details() == null ? copy : copy.withDetails(failure.details());
    }

    @Override
    public T next() {
        T element;
        int more = 0;
        synchronized (this) {
            if (!hasNext()) {
                throw new NoSuchElementException("the stream has ended");
            }
            element = elements.remove();
            if (++taken == PREFETCH / 2) {
                more = taken;
                taken = 0;
            }
        }
        if (more > 0) {
            Objects.requireNonNull(upstream, "upstream").request(more);
        }
        return element;
    }

    @Override
    public void close() {
        Flow.Subscription now;
        synchronized (this) {
            closed = true;
            now = ended ? null : upstream;
            notifyAll();
        }
        if (now != null) {
            now.cancel();
        }
    }
}
