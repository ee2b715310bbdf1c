package org.jvrpc.runtime.stream;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.StreamCodec;

/** Sends what a publisher brings, of which it asks for as much as there is room for. */
final class OutflowSubscriber<T> implements Flow.Subscriber<T>, Stream.Source, Runnable {

    private final Stream stream;
    private final StreamCodec<T> codec;
    private final Outflow out;
    /** Elements that were asked for and have not come. */
    private final AtomicLong asked = new AtomicLong();
    private volatile Flow.Subscription upstream;
    private volatile boolean done;

    OutflowSubscriber(Stream stream, Outflow out, StreamCodec<T> codec) {
        this.stream = stream;
        this.codec = codec;
        this.out = out;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        Objects.requireNonNull(subscription, "subscription");
        synchronized (this) {
            if (upstream != null) {
                subscription.cancel(); // a publisher that breaks the rules
                return;
            }
            upstream = subscription;
        }
        ask();
    }

    /** There is room, or nothing is sent any more. Whoever polls. */
    @Override
    public void roomy() {
        if (out.isOver()) {
            cancel();
        } else if (!done && upstream != null && isTimeToAsk()) {
            stream.session().signal(stream);
        }
    }

    @Override
    public void run() {
        if (upstream != null) {
            ask();
        }
    }

    private boolean isTimeToAsk() {
        return asked.get() == 0 && out.isRoomy();
    }

    /** Asks for more where there is room. */
    private void ask() {
        if (out.isOver()) {
            cancel();
            return;
        }
        int count;
        synchronized (stream) {
            count = done || out.isOver() || !isTimeToAsk() ? 0 : out.batch();
            asked.addAndGet(count);
        }
        if (count > 0) {
            try {
                upstream.request(count);
            } catch (Throwable t) { // against the rules, and nothing would come any more
                give(t);
            }
        }
    }

    /** Once, though whoever polls and the publisher's thread may both see that nothing is sent any more. */
    private void cancel() {
        Flow.Subscription now = upstream;
        synchronized (this) {
            if (done || now == null) {
                return;
            }
            done = true;
        }
        now.cancel();
    }

    @Override
    public void onNext(T element) {
        if (done) {
            Objects.requireNonNull(element, "element");
            return; // it was on its way
        }
        if (element == null) {
            NullPointerException wrong = new NullPointerException("element");
            give(wrong); // its publisher takes the stream for cancelled
            throw wrong;
        }
        if (asked.decrementAndGet() < 0) {
            give(new RpcException(Status.INTERNAL, "publisher emits more than was asked for"));
            return;
        }
        try {
            synchronized (stream) {
                if (!out.isOver()) {
                    out.add(codec, element);
                }
            }
        } catch (RuntimeException | Error e) {
            give(e);
            return;
        }
        if (isTimeToAsk() || out.isOver()) {
            ask();
        }
    }

    private void give(Throwable cause) {
        cancel();
        stream.outgoingFailed(cause);
    }

    @Override
    public void onError(Throwable cause) {
        Objects.requireNonNull(cause, "cause");
        if (!done) {
            done = true;
            stream.outgoingFailed(cause);
        }
    }

    @Override
    public void onComplete() {
        if (!done) {
            done = true;
            stream.outgoingEnded();
        }
    }
}
