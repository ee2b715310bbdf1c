package org.jvrpc.api.health;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Health} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class HealthStub implements Health {

    private final RpcChannel channel;

    HealthStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public ServingStatus check(String service) {
        ClientCall call = channel.begin(HealthService.CHECK);
        try {
            call.arguments().writeString(
                    HealthCodec.nonNull(service, "service is null: org.jvrpc.api.health.Health/check"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return HealthCodec.readServingStatus(in);
        } finally {
            call.close();
        }
    }

    @Override
    public CompletableFuture<ServingStatus> watch(String service, ServingStatus known) {
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
        return call.invokeAsync(HealthAsyncStub.WATCH);
    }
}
