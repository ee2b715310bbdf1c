package org.jvrpc.runtime.stream.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Adds up what comes, one element at a time, and holds up nobody. */
public final class Sum implements Flow.Subscriber<Long> {

    private final CompletableFuture<Long> result = new CompletableFuture<>();
    private Flow.Subscription upstream;
    private long sum;

    private Sum() {
    }

    /** Returns the sum of all, once they have come. */
    public static CompletableFuture<Long> of(Flow.Publisher<Long> values) {
        Sum sum = new Sum();
        values.subscribe(sum);
        return sum.result;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        upstream = subscription;
        subscription.request(1);
    }

    @Override
    public void onNext(Long value) {
        sum += value;
        upstream.request(1);
    }

    @Override
    public void onError(Throwable cause) {
        result.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        result.complete(sum);
    }
}
