package org.jvrpc.testkit.simulated;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A call from one host to another. One thread. */
final class SimulatedClientCall extends ClientCall {

    private final SimulatedChannel channel;
    private final MethodDescriptor method;
    private final Body arguments = new Body();
    private PendingCall pending;

    SimulatedClientCall(SimulatedChannel channel, MethodDescriptor method) {
        this.channel = channel;
        this.method = method;
    }

    @Override
    public WireWriter arguments() {
        return arguments.writer();
    }

    @Override
    public WireReader invoke() {
        pending = channel.send(method, arguments);
        channel.network().await(pending::isDone);
        return pending.answer();
    }

    @Override
    public int thrown() {
        return pending.thrown();
    }

    @Override
    public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
        SimulatedFuture<R> future = new SimulatedFuture<>(channel.network());
        PendingCall call = channel.send(method, arguments);
        call.then(() -> {
            try {
                future.complete(reader.read(call.answer(), call.thrown()));
            } catch (Exception e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    @Override
    public void send() {
        channel.send(method, arguments);
    }

    @Override
    public void close() {
        // nothing is held
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        return cause instanceof RuntimeException unchecked ? unchecked
                : new RpcException(Status.INTERNAL, "arguments of " + method.fullName() + " cannot be written", cause);
    }
}
