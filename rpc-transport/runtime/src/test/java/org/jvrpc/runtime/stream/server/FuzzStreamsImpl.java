package org.jvrpc.runtime.stream.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** The handlers. One thread. */
final class FuzzStreamsImpl implements FuzzStreams {

    @Override
    public CompletableFuture<Long> sum(Flow.Publisher<Long> values) {
        return Sum.of(values);
    }

    @Override
    public Flow.Publisher<String> mirror(Flow.Publisher<String> lines) {
        return lines;
    }

    @Override
    public Flow.Publisher<byte[]> blobs(short count, byte length) {
        return subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
            private long wanted;
            private int made;
            private boolean busy;
            private boolean over;

            @Override
            public void request(long more) {
                wanted = wanted + more < 0 ? Long.MAX_VALUE : wanted + more;
                if (busy) {
                    return;
                }
                busy = true;
                while (!over && made < count && wanted > 0) {
                    made++;
                    wanted--;
                    subscriber.onNext(new byte[length & 0xff]);
                }
                if (!over && made >= count) {
                    over = true;
                    subscriber.onComplete();
                }
                busy = false;
            }

            @Override
            public void cancel() {
                over = true;
            }
        });
    }

    @Override
    public int ignore(Flow.Publisher<String> lines) {
        return 1;
    }
}
