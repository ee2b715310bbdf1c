package org.jvrpc.benchmarks.jvrpc;

import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcServer;

/** A jvRPC server with all services of the benchmarks. */
public final class JvrpcServer implements ServerEnd {

    private final IdleStrategy idle;
    private RpcServer server;

    /**
     * A server.
     *
     * @param idle null for the default
     */
    public JvrpcServer(IdleStrategy idle) {
        this.idle = idle;
    }

    @Override
    public String start(Path directory, int clients) {
        String address = "shm://bench-" + ProcessHandle.current().pid();
        RpcServer.Builder builder = RpcServer.builder()
                .bind(address)
                .service(BenchService.class, new BenchHandler())
                .service(SoakService.class, new SoakHandler());
        if (idle != null) {
            builder.idle(idle);
        }
        server = builder.start();
        return address;
    }

    @Override
    public void close() {
        server.close();
    }
}
