package org.jvrpc.runtime.contract.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** What the suites of streams share: servers and clients. */
@Timeout(60)
abstract class StreamFixture implements RpcUnderTest {

    final FeedImpl impl = new FeedImpl();
    final List<AutoCloseable> made = new ArrayList<>();

    final RpcServer serve(UnaryOperator<RpcServer.Builder> settings) {
        RpcServer server = settings.apply(RpcServer.builder().bind(newAddress()).service(Feed.class, impl)).start();
        made.add(server);
        return server;
    }

    /** Starts one more at an address that another had. */
    final void serveAt(String address) {
        made.add(RpcServer.builder().bind(address).service(Feed.class, impl).start());
    }

    final RpcClient connect(RpcServer server, UnaryOperator<RpcClient.Builder> settings) {
        RpcClient client = settings.apply(RpcClient.builder(clientAddress(server.address()))).connect();
        made.add(0, client);
        return client;
    }

    final Feed feed() {
        return connect(serve(builder -> builder), builder -> builder).stub(Feed.class);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : made) {
            each.close();
        }
    }

    /** Calls {@link Feed#ticks}, which says at once what no stub of it does. */
    static Flow.Publisher<Feed.Tick> ticks(Feed feed, String symbol, long count) {
        try {
            return feed.ticks(symbol, count);
        } catch (Feed.NoFeedException e) {
            throw new AssertionError(e);
        }
    }
}
