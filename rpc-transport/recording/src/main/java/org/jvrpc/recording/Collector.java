package org.jvrpc.recording;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Takes all elements of a stream. */
final class Collector implements Flow.Subscriber<Object> {

    private final List<Object> elements = new ArrayList<>();
    private final CompletableFuture<List<Object>> all = new CompletableFuture<>();

    private Collector() {
    }

    /** Returns what a stream has, once it has ended. */
    static CompletableFuture<List<Object>> of(Flow.Publisher<Object> stream) {
        Collector collector = new Collector();
        stream.subscribe(collector);
        return collector.all;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object element) {
        elements.add(element);
    }

    @Override
    public void onError(Throwable thrown) {
        all.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
        all.complete(elements);
    }
}
