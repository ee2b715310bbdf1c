package org.jvrpc.benchmarks.jmh;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A channel without a transport: the stub writes into a buffer and the skeleton reads from it. One thread. */
final class LoopbackChannel implements RpcChannel {

    private static final int BODY_BYTES = 1 << 20;

    private final Skeleton skeleton;
    private final ByteBuffer request = ByteBuffer.allocateDirect(BODY_BYTES);
    private final ByteBuffer response = ByteBuffer.allocateDirect(BODY_BYTES);
    private final WireWriter argumentWriter = new WireWriter();
    private final WireReader argumentReader = new WireReader();
    private final WireWriter resultWriter = new WireWriter();
    private final WireReader resultReader = new WireReader();
    private final Client client = new Client();
    private final Server server = new Server();
    private MethodDescriptor method;

    LoopbackChannel(Skeleton skeleton) {
        this.skeleton = skeleton;
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        this.method = method;
        argumentWriter.reset(request, 0, BODY_BYTES, null, null);
        return client;
    }

    /** Returns the bytes that the last call's arguments took. */
    int argumentBytes() {
        return argumentWriter.length();
    }

    private final class Client extends ClientCall {

        @Override
        public WireWriter arguments() {
            return argumentWriter;
        }

        @Override
        public WireReader invoke() {
            argumentReader.reset(request, 0, argumentWriter.length(), null);
            resultWriter.reset(response, 0, BODY_BYTES, null, null);
            try {
                skeleton.dispatch(method.index(), server);
            } catch (Throwable e) {
                throw new IllegalStateException("handler failed: " + e, e);
            }
            resultReader.reset(response, 0, resultWriter.length(), null);
            return resultReader;
        }

        @Override
        public int thrown() {
            return 0;
        }

        @Override
        public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void send() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
        }

        @Override
        public RuntimeException abandon(Throwable cause) {
            return new IllegalStateException("arguments cannot be written: " + cause, cause);
        }
    }

    private final class Server extends ServerCall {

        @Override
        public WireReader arguments() {
            return argumentReader;
        }

        @Override
        public WireWriter result() {
            return resultWriter;
        }

        @Override
        public WireWriter exception(int number) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> void completeLater(CompletionStage<R> stage, ResultWriter<R> writer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MethodDescriptor method() {
            return method;
        }

        @Override
        public Metadata metadata() {
            return new Metadata();
        }

        @Override
        public long remainingNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public long sessionId() {
            return 0;
        }
    }
}
