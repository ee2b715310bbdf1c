package org.jvrpc.api.health;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Health} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class HealthAsyncStub implements HealthAsync {

    static final ResultReader<ServingStatus> CHECK = (in, thrown) -> HealthCodec.readServingStatus(in);
    static final ResultReader<ServingStatus> WATCH = (in, thrown) -> HealthCodec.readServingStatus(in);

    private final RpcChannel channel;

    HealthAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<ServingStatus> check(String service) {
        return beginCheck(service).invokeAsync(CHECK);
    }

    @Override
    public void check(String service, RpcCallback<ServingStatus> callback) {
        Objects.requireNonNull(callback, "callback is null: org.jvrpc.api.health.Health/check");
        beginCheck(service).invokeCallback(CHECK, callback);
    }

    @Override
    public CompletableFuture<ServingStatus> watch(String service, ServingStatus known) {
        return beginWatch(service, known).invokeAsync(WATCH);
    }

    @Override
    public void watch(String service, ServingStatus known, RpcCallback<ServingStatus> callback) {
        Objects.requireNonNull(callback, "callback is null: org.jvrpc.api.health.Health/watch");
        beginWatch(service, known).invokeCallback(WATCH, callback);
    }

    private ClientCall beginCheck(String service) {
        ClientCall call = channel.begin(HealthService.CHECK);
        try {
            call.arguments().writeString(
                    HealthCodec.nonNull(service, "service is null: org.jvrpc.api.health.Health/check"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginWatch(String service, ServingStatus known) {
        ClientCall call = channel.begin(HealthService.WATCH);
        try {
            WireWriter out = call.arguments();
            out.writeString(
                    HealthCodec.nonNull(service, "service is null: org.jvrpc.api.health.Health/watch"));
            out.writeEnum(
                    HealthCodec.nonNull(known, "known is null: org.jvrpc.api.health.Health/watch"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
