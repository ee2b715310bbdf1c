package org.jvrpc.benchmarks.peer;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** A gRPC-java server on the loopback device. */
public final class GrpcServer implements ServerEnd {

    private final boolean direct;
    private Server server;

    /**
     * A server.
     *
     * @param direct true to run handlers on the event loop instead of the default executor
     */
    public GrpcServer(boolean direct) {
        this.direct = direct;
    }

    @Override
    public String start(Path directory, int clients) throws IOException {
        NettyServerBuilder builder = NettyServerBuilder
                .forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder(Grpc.SERVICE)
                        .addMethod(Grpc.ECHO, ServerCalls.asyncUnaryCall((request, observer) -> {
                            observer.onNext(request);
                            observer.onCompleted();
                        }))
                        .build());
        if (direct) {
            builder.directExecutor();
        }
        server = builder.build().start();
        return Integer.toString(server.getPort());
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
