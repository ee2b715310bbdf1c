package org.jvrpc.runtime.stream;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a subscriber what comes of a stream, as far as it asks for it. */
final class InflowSubscription<T> implements Flow.Subscription, Stream.Sink, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(InflowSubscription.class);

    private final Stream stream;
    private final StreamCodec<T> codec;
    private final ObjectCodec objects;
    private final WireReader reader = new WireReader();
    private final Inflow in;
    private final AtomicLong demand = new AtomicLong();
    private volatile IllegalArgumentException refused;
    private volatile boolean cancelled;
    private Flow.Subscriber<? super T> subscriber;
    private volatile boolean subscribed;

    InflowSubscription(
            Stream stream, StreamCodec<T> codec, ObjectCodec objects, Flow.Subscriber<? super T> subscriber) {
        this.stream = stream;
        this.codec = codec;
        this.objects = objects;
        this.in = stream.inflow();
        this.subscriber = subscriber;
        reader.keepLongViews();
    }

    /** Tells the subscriber of itself; false when that wants nothing any more. */
    boolean begin() {
        try {
            subscriber.onSubscribe(this);
        } catch (Throwable t) {
            LOG.warn("a subscriber's onSubscribe threw", t);
            cancel();
        }
        subscribed = true;
        filled();
        return !cancelled;
    }

    @Override
    public void filled() {
        if (subscribed) {
            stream.session().signal(stream);
        }
    }

    @Override
    public void request(long count) {
        if (cancelled) {
            return;
        }
        if (count <= 0) {
            refused = new IllegalArgumentException("a subscriber asks for " + count
                    + " elements: it must be more than 0 (reactive streams, 3.9)");
        } else {
            demand.accumulateAndGet(count, (have, more) -> have + more < 0 ? Long.MAX_VALUE : have + more);
        }
        filled();
    }

    @Override
    public void cancel() {
        if (!cancelled) {
            cancelled = true;
            stream.stopReceiving("subscriber cancelled");
            filled();
        }
    }

    /** Tells what there is to tell. One thread at a time. */
    @Override
    public void run() {
        while (subscriber != null) {
            if (cancelled) {
                over();
            } else if (refused != null) {
                IllegalArgumentException why = refused;
                stream.stopReceiving(why.getMessage());
                over().onError(why);
            } else if (!isNextAtHand()) {
                if (subscriber == null) {
                    return; // there was no memory
                }
                if (!in.isAtEnd()) {
                    grant(true);
                    return;
                }
                end();
            } else if (demand.get() == 0) {
                return;
            } else {
                tellNext();
            }
        }
    }

    private boolean isNextAtHand() {
        if (in.isAtHand()) {
            return true;
        }
        grant(false);
        try {
            return in.advance();
        } catch (RpcException e) {
            stream.stopReceiving(e.getMessage());
            over().onError(e);
            return false;
        }
    }

    private void grant(boolean all) {
        int bytes = in.takeGrant(all);
        if (bytes > 0) {
            stream.grant(bytes);
        }
    }

    private Flow.Subscriber<? super T> over() {
        Flow.Subscriber<? super T> last = subscriber;
        subscriber = null;
        cancelled = true;
        in.release();
        return last;
    }

    private void end() {
        Throwable failure = in.failure();
        Flow.Subscriber<? super T> last = over();
        if (failure == null) {
            last.onComplete();
        } else {
            last.onError(failure);
        }
    }

    private void tellNext() {
        int length = in.length();
        reader.reset(in.front(), in.takeAny(length), length, objects);
        T element;
        try {
            element = codec.read(reader);
        } catch (RuntimeException | Error e) {
            stream.stopReceiving("element cannot be read: " + e.getMessage());
            over().onError(e);
            return;
        }
        if (demand.get() != Long.MAX_VALUE) {
            demand.decrementAndGet();
        }
        try {
            subscriber.onNext(element);
        } catch (Throwable t) { // against the rules: it is as if it had cancelled
            LOG.warn("a subscriber's onNext threw: the stream is cancelled", t);
            stream.stopReceiving("subscriber threw: " + t);
            over();
        }
    }
}
