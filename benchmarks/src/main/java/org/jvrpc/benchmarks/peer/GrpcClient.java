package org.jvrpc.benchmarks.peer;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;

/** Unary calls of gRPC-java: blocking ones for latency, asynchronous ones for throughput. */
public final class GrpcClient implements ClientEnd {

    private final GrpcKind kind;
    private ManagedChannel channel;

    /**
     * A client.
     *
     * @param kind of way to the server
     */
    public GrpcClient(GrpcKind kind) {
        this.kind = kind;
    }

    @Override
    public void connect(String address, int index) throws IOException {
        channel = open(address);
    }

    private ManagedChannel open(String address) throws IOException {
        return kind.channel(address).build();
    }

    private static void call(ManagedChannel channel, byte[] request) {
        byte[] answer = ClientCalls.blockingUnaryCall(channel, Grpc.ECHO, CallOptions.DEFAULT, request);
        if (answer.length != request.length) {
            throw new IllegalStateException("wrong answer length=" + answer.length);
        }
    }

    @Override
    public Operation operation(Workload workload) {
        if (workload.kind() == Workload.Kind.RECORD) {
            throw workload.unsupported();
        }
        byte[] request = new byte[workload.size()];
        return new Operation() {
            @Override
            public void call() {
                GrpcClient.call(channel, request);
            }
        };
    }

    @Override
    public Pipeline pipeline() {
        return new GrpcPipeline(channel);
    }

    @Override
    public Operation connecting(String address) {
        byte[] request = new byte[0];
        return new Operation() {
            private ManagedChannel opened;

            @Override
            public void call() throws IOException {
                opened = open(address);
                GrpcClient.call(opened, request);
            }

            @Override
            public void after() {
                opened.shutdownNow();
            }
        };
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
