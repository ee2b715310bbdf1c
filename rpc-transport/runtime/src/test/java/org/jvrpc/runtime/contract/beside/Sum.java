package org.jvrpc.runtime.contract.beside;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Adds what comes, all of which it asks for. */
final class Sum implements Flow.Subscriber<Long> {

    final CompletableFuture<Long> total = new CompletableFuture<>();
    private long sum;

    static CompletableFuture<Long> of(Flow.Publisher<Long> publisher) {
        Sum sum = new Sum();
        publisher.subscribe(sum);
        return sum.total;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Long value) {
        sum += value;
    }

    @Override
    public void onError(Throwable cause) {
        total.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        total.complete(sum);
    }
}
