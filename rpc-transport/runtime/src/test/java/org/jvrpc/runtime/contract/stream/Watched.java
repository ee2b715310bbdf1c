package org.jvrpc.runtime.contract.stream;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts a subscriber's cancels. */
record Watched<T>(Flow.Subscriber<? super T> subscriber, AtomicInteger cancels) implements Flow.Subscriber<T> {

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                subscription.request(count);
            }

            @Override
            public void cancel() {
                cancels.incrementAndGet();
                subscription.cancel();
            }
        });
    }

    @Override
    public void onNext(T element) {
        subscriber.onNext(element);
    }

    @Override
    public void onError(Throwable cause) {
        subscriber.onError(cause);
    }

    @Override
    public void onComplete() {
        subscriber.onComplete();
    }
}
