package org.jvrpc.api.reflection;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Reflection} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ReflectionSkeleton implements Skeleton {

    private final Reflection implementation;

    ReflectionSkeleton(Reflection implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> describe(call);
            case 1 -> services(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.jvrpc.api.reflection.Reflection has no method index=" + index);
        }
    }

    private void describe(ServerCall call) {
        WireReader in = call.arguments();
        String service = in.readString();
        ServiceDescription result = implementation.describe(service);
        ReflectionCodec.writeServiceDescription(call.result(),
                ReflectionCodec.returned(result, "org.jvrpc.api.reflection.Reflection/describe returned null"));
    }

    private void services(ServerCall call) {
        List<String> result = implementation.services();
        ReflectionCodec.writeListOfString(call.result(),
                ReflectionCodec.returned(result, "org.jvrpc.api.reflection.Reflection/services returned null"));
    }
}
