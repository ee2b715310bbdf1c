package org.jvrpc.api.health;

import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

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
}
