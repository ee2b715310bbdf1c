package org.jvrpc.runtime.contract.stream;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * A publisher by the rules, on the thread that asks: elements 0 … count - 1, then the end or a failure.
 *
 * @param failure null for none
 * @param cancels counts them
 */
record Range<T>(long count, LongFunction<T> maker, Throwable failure, AtomicInteger cancels)
        implements Flow.Publisher<T> {

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        subscriber.onSubscribe(new Flow.Subscription() {
            private final AtomicLong demand = new AtomicLong();
            private long next;
            private volatile boolean over;

            @Override
            public void request(long more) {
                if (more <= 0) {
                    over = true;
                    subscriber.onError(new IllegalArgumentException("asked for " + more));
                    return;
                }
                if (demand.getAndAccumulate(more, (have, add) -> have + add < 0 ? Long.MAX_VALUE : have + add) == 0) {
                    emit();
                }
            }

            private void emit() {
                do {
                    if (next < count && !over) {
                        subscriber.onNext(maker.apply(next++));
                    }
                    if (next == count && !over) {
                        over = true;
                        if (failure == null) {
                            subscriber.onComplete();
                        } else {
                            subscriber.onError(failure);
                        }
                    }
                } while (demand.decrementAndGet() > 0);
            }

            @Override
            public void cancel() {
                over = true;
                cancels.incrementAndGet();
            }
        });
    }
}
