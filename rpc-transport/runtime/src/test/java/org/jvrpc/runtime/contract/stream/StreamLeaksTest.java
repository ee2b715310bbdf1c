package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.Flow;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** What streams count for comes back however they end. */
@Timeout(60)
class StreamLeaksTest {

    private final FeedImpl impl = new FeedImpl();

    private RpcServer serve(String name, UnaryOperator<RpcServer.Builder> settings) {
        return settings.apply(RpcServer.builder().bind("inproc://" + name).service(Feed.class, impl)).start();
    }

    @Test
    void callsOfSessionsThatEndedAreNotUnderWayAnyMore() {
        try (RpcServer server = serve("stream-limits",
                builder -> builder.principalLimits(new PrincipalLimits().maxCalls(1)))) {
            for (int i = 1; i <= 3; i++) {
                RpcClient client = RpcClient.connect(server.address());
                Collector.of(client.stub(Feed.class).silence(), 1);
                int opened = i;
                Await.until("the stream to be there", () -> impl.subscribed.get() == opened);
                client.close();
                Await.until("the principal to call again", () -> callsAgain(server));
            }
        }
    }

    private static boolean callsAgain(RpcServer server) {
        try (RpcClient client = RpcClient.connect(server.address())) {
            return client.stub(Feed.class).add(1, 2) == 3;
        } catch (RpcException e) {
            assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
            return false;
        }
    }

    @Test
    void resultsThatFailLeaveNoMemoryBorrowed() {
        impl.custom = subscriber -> {
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                    // it has failed
                }

                @Override
                public void cancel() {
                    // as well
                }
            });
            subscriber.onError(new IllegalStateException("planted"));
        };
        try (RpcServer server = serve("stream-memory", builder -> builder);
                RpcClient client = RpcClient.connect(server.address())) {
            Feed feed = client.stub(Feed.class);
            for (int i = 0; i < 18_000; i++) { // of 16 KiB each, where there are 256 MiB
                Collector<Long> failed = Collector.of(feed.custom(), 1);
                assertEquals("failed", failed.ended());
                assertEquals("java.lang.IllegalStateException: planted", failed.failure.getMessage());
            }
        }
    }
}
