package org.jvrpc.samples.cookbook.streams;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A subscriber that asks for elements when it wants them, and cancels when it has enough. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class ManualFlowControl {

    private ManualFlowControl() {
    }

    // snippet begins
    @RpcService
    public interface Counter {
        Flow.Publisher<Integer> from(int first);
    }

    static final class TwoAtATime implements Flow.Subscriber<Integer> {
        private final CountDownLatch enough = new CountDownLatch(6);
        private Flow.Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            subscription.request(2);
        }

        @Override
        public void onNext(Integer value) { // must not block: one thread serves all streams of the client
            System.out.println(value);
            enough.countDown();
            if (enough.getCount() == 0) {
                subscription.cancel();
            } else if (enough.getCount() % 2 == 0) {
                subscription.request(2);
            }
        }

        @Override
        public void onError(Throwable cause) {
            System.out.println(cause);
        }

        @Override
        public void onComplete() {
            System.out.println("complete");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Counter counter = first -> Streams.writingInts(writer -> {
            for (int i = first;; i++) { // without an end: the writer learns by its next write that nobody reads on
                writer.writeInt(i);
            }
        });
        try (RpcServer server = RpcServer.builder().bind("inproc://counter").service(Counter.class, counter).start();
             RpcClient client = RpcClient.connect("inproc://counter")) {
            TwoAtATime subscriber = new TwoAtATime();
            client.stub(Counter.class).from(10).subscribe(subscriber);
            System.out.println(subscriber.enough.await(10, TimeUnit.SECONDS));
        }
    }
    // snippet ends
}
