package org.jvrpc.testkit.fault;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A call that something befalls. One thread. */
final class FaultyCall extends ClientCall {

    private final ClientCall call;
    private final Suffering suffering;

    FaultyCall(ClientCall call, Fault fault, Victims victims, MethodDescriptor method, long deadlineNs) {
        this.call = call;
        this.suffering = new Suffering(call, fault, victims, method, deadlineNs);
    }

    @Override
    public WireWriter arguments() {
        return call.arguments();
    }

    @Override
    public WireReader invoke() {
        return suffering.invoke();
    }

    @Override
    public int thrown() {
        return call.thrown();
    }

    @Override
    public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
        return suffering.invokeAsync(reader);
    }

    @Override
    public void send() {
        suffering.send();
    }

    @Override
    public void close() {
        suffering.close();
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        return call.abandon(cause);
    }
}
