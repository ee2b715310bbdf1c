package org.jvrpc.recording;

import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;

/** A stream whose elements and end are recorded as they pass. */
final class TappedStream implements Flow.Publisher<Object> {

    private final Flow.Publisher<Object> source;
    private final Underway record;

    TappedStream(Flow.Publisher<Object> source, Underway record) {
        this.source = source;
        this.record = record;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super Object> subscriber) {
        source.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscriber.onSubscribe(new Flow.Subscription() {
                    @Override
                    public void request(long count) {
                        subscription.request(count);
                    }

                    @Override
                    public void cancel() {
                        subscription.cancel();
                        record.failed(new CancellationException("the client took no more"));
                    }
                });
            }

            @Override
            public void onNext(Object element) {
                record.came(element);
                subscriber.onNext(element);
            }

            @Override
            public void onError(Throwable thrown) {
                record.failed(thrown);
                subscriber.onError(thrown);
            }

            @Override
            public void onComplete() {
                record.answered(null);
                subscriber.onComplete();
            }
        });
    }
}
