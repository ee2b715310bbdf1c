package org.jvrpc.api.health;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Health} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class HealthSkeleton implements Skeleton {

    private static final ServerCall.ResultWriter<ServingStatus> WATCH = HealthSkeleton::writeWatch;

    private final Health implementation;

    HealthSkeleton(Health implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> check(call);
            case 1 -> watch(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.jvrpc.api.health.Health has no method index=" + index);
        }
    }

    private void check(ServerCall call) {
        WireReader in = call.arguments();
        String service = in.readString();
        ServingStatus result = implementation.check(service);
        call.result().writeEnum(
                HealthCodec.returned(result, "org.jvrpc.api.health.Health/check returned null"));
    }

    private void watch(ServerCall call) {
        WireReader in = call.arguments();
        String service = in.readString();
        ServingStatus known = HealthCodec.readServingStatus(in);
        CompletableFuture<ServingStatus> result = implementation.watch(service, known);
        call.completeLater(result, WATCH);
    }

    private static void writeWatch(ServerCall call, ServingStatus result, Throwable thrown)
            throws Throwable {
        if (thrown != null) {
            throw HealthCodec.unwrapped(thrown);
        }
        call.result().writeEnum(
                HealthCodec.returned(result, "org.jvrpc.api.health.Health/watch returned null"));
    }
}
