package org.jvrpc.runtime.invocation;

import java.util.Objects;
import java.util.concurrent.Executor;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.StreamCall;

/** A channel whose futures complete, and whose callbacks run, on an executor. Many threads. */
public final class ExecutorChannel implements RpcChannel {

    private final RpcChannel channel;
    private final Executor executor;

    public ExecutorChannel(RpcChannel channel, Executor executor) {
        this.channel = channel;
        this.executor = Objects.requireNonNull(executor, "executor");
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        return new ExecutorCall(channel.begin(method), method, executor);
    }

    /** Streams are told where they are told in any case: their subscribers choose executors of their own. */
    @Override
    public StreamCall beginStream(MethodDescriptor method) {
        return channel.beginStream(method);
    }
}
