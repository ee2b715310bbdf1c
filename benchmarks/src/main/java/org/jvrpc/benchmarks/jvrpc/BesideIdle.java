package org.jvrpc.benchmarks.jvrpc;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.SessionLimits;

/**
 * A client that calls, beside others of its process that have called once. Those sleep, so that the server alone has
 * work with them.
 */
public final class BesideIdle implements ClientEnd {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final JvrpcClient busy;
    private final int sessions;
    private final List<RpcClient> idle = new ArrayList<>();

    /**
     * A client.
     *
     * @param strategy null for the default
     * @param sessions with the one that calls
     */
    public BesideIdle(IdleStrategy strategy, int sessions) {
        this.busy = new JvrpcClient(strategy, false);
        this.sessions = sessions;
    }

    /** Makes a server that takes so many. @param strategy null for the default */
    public static ServerEnd server(IdleStrategy strategy, int sessions) {
        return new JvrpcServer(strategy, new SessionLimits()
                .maxSessions(sessions + 1)
                .maxSessionsPerPeer(sessions + 1)
                .sessionMemory(1L << 40));
    }

    @Override
    public void connect(String address, int index) {
        for (int i = 1; i < sessions; i++) {
            RpcClient client = RpcClient.builder(address).idle(IdleStrategy.BLOCK).connectTimeout(PATIENCE).connect();
            idle.add(client);
            client.stub(BenchService.class).nothing();
        }
        busy.connect(address, index);
    }

    @Override
    public Operation operation(Workload workload) {
        return busy.operation(workload);
    }

    @Override
    public void close() throws IOException {
        busy.close();
        idle.forEach(RpcClient::close);
    }
}
