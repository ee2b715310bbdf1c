package org.jvrpc.runtime.retry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.route.BoundChannel;

/** A way to a service whose answers are a test's. Synchronous calls are answered by the script. One thread. */
public final class ScriptedChannel implements BoundChannel {

    private static final int BYTES = 256;

    /** The attempts, in the order in which they were begun. */
    public final List<ClientInvocation> attempts = new ArrayList<>();
    /** What asynchronous attempts wait for, which the test completes; null where one was synchronous. */
    public final List<CompletableFuture<Object>> futures = new ArrayList<>();
    /** What no attempt begins by; null while they do. */
    public volatile RuntimeException refusal;
    private final Function<Integer, Long> script;
    private final long limitNs;

    /** @param script answers an attempt, from 1, or throws what it fails with; sends and results are of type long */
    public ScriptedChannel(long limitNs, Function<Integer, Long> script) {
        this.limitNs = limitNs;
        this.script = script;
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        throw new UnsupportedOperationException("attempts alone");
    }

    @Override
    public ClientCall begin(MethodDescriptor method, ClientInvocation attempt) {
        if (refusal != null) {
            throw refusal;
        }
        attempts.add(attempt);
        futures.add(null);
        return new Call(attempts.size());
    }

    @Override
    public StreamCall beginStream(MethodDescriptor method, List<ClientInterceptor> outer) {
        throw new UnsupportedOperationException("calls without streams alone");
    }

    @Override
    public ObjectCodec layouts() {
        return null;
    }

    @Override
    public long limitNs(MethodDescriptor method) {
        return limitNs;
    }

    @Override
    public void open() {
        // always
    }

    private final class Call extends ClientCall {

        private final int number;
        private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private final WireWriter writer = new WireWriter();

        Call(int number) {
            this.number = number;
            writer.reset(memory, 0, BYTES, null, null);
        }

        @Override
        public WireWriter arguments() {
            return writer;
        }

        @Override
        public WireReader invoke() {
            memory.putLong(0, script.apply(number));
            WireReader reader = new WireReader();
            reader.reset(memory, 0, Long.BYTES, null);
            return reader;
        }

        @Override
        public int thrown() {
            return 0;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
            CompletableFuture<Object> future = new CompletableFuture<>();
            futures.set(number - 1, future);
            return (CompletableFuture<R>) future;
        }

        @Override
        public void send() {
            script.apply(number);
        }

        @Override
        public void close() {
            // nothing is held
        }

        @Override
        public RuntimeException abandon(Throwable cause) {
            return new IllegalStateException(cause);
        }
    }
}
