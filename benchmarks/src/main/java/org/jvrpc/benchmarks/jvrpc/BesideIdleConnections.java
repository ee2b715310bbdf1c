package org.jvrpc.benchmarks.jvrpc;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.SessionLimits;

/** A client that calls over a stream, beside idle connections of its process to the same server. */
public final class BesideIdleConnections implements ClientEnd {

    private final JvrpcClient busy;
    private final int connections;
    private IdleConnections idle;

    /** @param connections with the one that calls */
    public BesideIdleConnections(IdleStrategy strategy, int connections) {
        this.busy = new JvrpcClient(strategy, false);
        this.connections = connections;
    }

    /** Makes a server that takes so many. @param strategy null for the default */
    public static ServerEnd server(IdleStrategy strategy, boolean tls, int connections) {
        SessionLimits limits = new SessionLimits().maxSessions(connections + 1).maxSessionsPerPeer(connections + 1)
                .sessionMemory(1L << 40);
        ServerEnd server = tls ? new TlsServer(strategy, limits)
                : new JvrpcServer(strategy, "tcp://127.0.0.1:0", null, limits);
        return new ServerEnd() {
            @Override
            public String start(Path directory, int clients) throws Exception {
                IdleConnections.expectDescriptors(connections);
                return server.start(directory, clients);
            }

            @Override
            public void close() throws IOException {
                server.close();
            }
        };
    }

    @Override
    public void connect(String address, int index) throws IOException {
        IdleConnections.expectDescriptors(connections);
        idle = new IdleConnections(address);
        idle.open(connections - 1);
        busy.connect(address, index);
    }

    @Override
    public Operation operation(Workload workload) {
        return busy.operation(workload);
    }

    @Override
    public void close() {
        busy.close();
        idle.close();
    }
}
