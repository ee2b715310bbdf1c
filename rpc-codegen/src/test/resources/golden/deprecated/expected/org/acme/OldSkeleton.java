package org.acme;

import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Old} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings({"deprecation", "removal"})
final class OldSkeleton implements Skeleton {

    private final Old implementation;

    OldSkeleton(Old implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> first(call);
            case 1 -> second(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Old has no method index=" + index);
        }
    }

    private void first(ServerCall call) {
        WireReader in = call.arguments();
        int value = in.readInt();
        int result = implementation.first(value);
        call.result().writeInt(result);
    }

    private void second(ServerCall call) {
        WireReader in = call.arguments();
        int value = in.readInt();
        int result = implementation.second(value);
        call.result().writeInt(result);
    }
}
