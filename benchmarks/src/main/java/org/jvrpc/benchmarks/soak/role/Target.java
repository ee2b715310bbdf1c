package org.jvrpc.benchmarks.soak.role;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.CallOptions;
import org.jvrpc.runtime.RpcClient;

/** A connection to one server and its stubs, one pair for each deadline. Any thread. */
final class Target implements AutoCloseable {

    /** How many calls may be under way. */
    static final int SLOTS = 16;
    /** What callers grant their calls, in milliseconds. */
    static final int[] DEADLINES_MS = {50, 300, 1000, 2000};

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);

    private final int server;
    private final RpcClient client;
    private final List<CampaignService> stubs = new ArrayList<>();
    private final List<CampaignServiceAsync> asyncs = new ArrayList<>();
    private volatile boolean closed;

    /** Connects. @throws org.jvrpc.api.RpcException when there is no server now */
    Target(int server) {
        this.server = server;
        this.client = RpcClient.builder(Environs.calls(server)).slots(SLOTS).connectTimeout(CONNECT_LIMIT).connect();
        try {
            for (int ms : DEADLINES_MS) {
                CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(ms));
                stubs.add(client.stub(CampaignService.class, options));
                asyncs.add(client.asyncStub(CampaignService.class, CampaignServiceAsync.class, options));
            }
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    int server() {
        return server;
    }

    CampaignService stub(int deadline) {
        return stubs.get(deadline);
    }

    CampaignServiceAsync async(int deadline) {
        return asyncs.get(deadline);
    }

    RpcClient client() {
        return client;
    }

    /** Returns true when calls may have ended because this side closed. */
    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        client.close();
    }
}
