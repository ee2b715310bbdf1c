package org.jvrpc.api.health;

import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Health} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class HealthSkeleton implements Skeleton {

    private final Health implementation;

    HealthSkeleton(Health implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> check(call);
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
}
