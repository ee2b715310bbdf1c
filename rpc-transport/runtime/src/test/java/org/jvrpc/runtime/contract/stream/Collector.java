package org.jvrpc.runtime.contract.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.runtime.contract.Await;

/** Keeps what comes; asks for so many at first, and as many again when they have come. */
class Collector<T> implements Flow.Subscriber<T> {

    final List<T> elements = java.util.Collections.synchronizedList(new ArrayList<>());
    final CompletableFuture<String> end = new CompletableFuture<>();
    private final int batch;
    private int left;
    volatile Flow.Subscription upstream;
    volatile Throwable failure;

    /** @param batch 0 for nothing until the test asks */
    Collector(int batch) {
        this.batch = batch;
    }

    static <T> Collector<T> of(Flow.Publisher<T> publisher, int batch) {
        Collector<T> collector = new Collector<>(batch);
        publisher.subscribe(collector);
        return collector;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        upstream = subscription;
        left = batch;
        if (batch > 0) {
            subscription.request(batch);
        }
    }

    @Override
    public void onNext(T element) {
        elements.add(element);
        if (batch > 0 && --left == 0) {
            left = batch;
            upstream.request(batch);
        }
    }

    @Override
    public void onError(Throwable cause) {
        failure = cause;
        end.complete("failed");
    }

    @Override
    public void onComplete() {
        end.complete("complete");
    }

    /** Waits for the end, which is "complete" or "failed". */
    String ended() {
        return (String) Await.outcome(end);
    }
}
