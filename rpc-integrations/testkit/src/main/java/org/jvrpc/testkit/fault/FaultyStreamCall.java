package org.jvrpc.testkit.fault;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A call with a stream that something befalls. One thread. */
final class FaultyStreamCall extends StreamCall {

    private final StreamCall call;
    private final Fault fault;
    private final Suffering suffering;

    FaultyStreamCall(StreamCall call, Fault fault, Victims victims, MethodDescriptor method, long deadlineNs) {
        this.call = call;
        this.fault = fault;
        this.suffering = new Suffering(call, fault, victims, method, deadlineNs);
    }

    @Override
    public <T> void elements(Flow.Publisher<T> stream, StreamCodec<T> codec) {
        call.elements(stream, codec);
    }

    @Override
    public <T> Flow.Publisher<T> publish(StreamCodec<T> codec, ResultReader<Void> failure) {
        if (fault.kind() == Fault.Kind.DELAY) {
            Flow.Publisher<T> late = call.publish(codec, failure);
            return subscriber -> {
                Fault.pass(fault.delayNs());
                late.subscribe(subscriber);
            };
        }
        RpcException thrown = suffering.giveUp();
        return subscriber -> {
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                    // nothing comes
                }

                @Override
                public void cancel() {
                    // nothing does
                }
            });
            if (!fault.isLoss()) {
                subscriber.onError(thrown);
            }
        };
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
    public void close() {
        suffering.close();
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        return call.abandon(cause);
    }
}
