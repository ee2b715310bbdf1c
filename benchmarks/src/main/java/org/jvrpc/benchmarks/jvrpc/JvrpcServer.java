package org.jvrpc.benchmarks.jvrpc;

import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.SessionLimits;

/** A jvRPC server with all services of the benchmarks. */
public final class JvrpcServer implements ServerEnd {

    private final IdleStrategy idle;
    private final String address;
    private final String clientAddress;
    private SessionLimits limits;
    private RpcServer server;

    /**
     * A server.
     *
     * @param idle null for the default
     */
    public JvrpcServer(IdleStrategy idle) {
        this(idle, "shm://bench-" + ProcessHandle.current().pid());
    }

    /** A server that takes more sessions than others. @param idle null for the default */
    JvrpcServer(IdleStrategy idle, SessionLimits limits) {
        this(idle);
        this.limits = limits;
    }

    private JvrpcServer(IdleStrategy idle, String address) {
        this(idle, address, address);
    }

    /**
     * A server of an address of its own.
     *
     * @param idle null for the default
     * @param clientAddress what clients connect to; null for the same, with the port that it took
     */
    public JvrpcServer(IdleStrategy idle, String address, String clientAddress) {
        this.idle = idle;
        this.address = address;
        this.clientAddress = clientAddress;
    }

    @Override
    public String start(Path directory, int clients) {
        RpcServer.Builder builder = RpcServer.builder()
                .bind(address)
                .service(BenchService.class, new BenchHandler())
                .service(SoakService.class, new SoakHandler());
        if (idle != null) {
            builder.idle(idle);
        }
        if (limits != null) {
            builder.limits(limits);
        }
        server = builder.start();
        return clientAddress == null ? server.address() : clientAddress;
    }

    @Override
    public void close() {
        server.close();
    }
}
