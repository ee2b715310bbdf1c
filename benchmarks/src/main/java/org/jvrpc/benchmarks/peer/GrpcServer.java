package org.jvrpc.benchmarks.peer;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** A gRPC-java server. */
public final class GrpcServer implements ServerEnd {

    private final GrpcKind kind;
    private Server server;

    /**
     * A server.
     *
     * @param kind of way from clients
     */
    public GrpcServer(GrpcKind kind) {
        this.kind = kind;
    }

    @Override
    public String start(Path directory, int clients) throws IOException {
        server = kind.server(directory)
                .addService(ServerServiceDefinition.builder(Grpc.SERVICE)
                        .addMethod(Grpc.ECHO, ServerCalls.asyncUnaryCall((request, observer) -> {
                            observer.onNext(request);
                            observer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
        return kind.address(directory, server.getPort());
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
