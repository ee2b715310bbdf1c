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
    private final SessionLimits limits;
    private RpcServer server;

    /**
     * A server.
     *
     * @param idle null for the default
     */
    public JvrpcServer(IdleStrategy idle) {
        this(idle, (SessionLimits) null);
    }

    /** A server that takes more sessions than others. @param idle null for the default */
    JvrpcServer(IdleStrategy idle, SessionLimits limits) {
        this(idle, ownAddress(), ownAddress(), limits);
    }

    private static String ownAddress() {
        return "shm://bench-" + ProcessHandle.current().pid();
    }

    /**
     * A server of an address of its own.
     *
     * @param idle null for the default
     * @param clientAddress what clients connect to; null for the same, with the port that it took
     */
    public JvrpcServer(IdleStrategy idle, String address, String clientAddress) {
        this(idle, address, clientAddress, null);
    }

    /** The same that takes other sessions than most do. @param limits null for the default */
    JvrpcServer(IdleStrategy idle, String address, String clientAddress, SessionLimits limits) {
        this.limits = limits;
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
        Telemetry.add(builder, address);
        server = builder.start();
        return clientAddress == null ? server.address() : clientAddress;
    }

    @Override
    public void close() {
        server.close();
    }
}
