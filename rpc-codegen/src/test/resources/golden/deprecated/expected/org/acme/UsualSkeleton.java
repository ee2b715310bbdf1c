package org.acme;

import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Usual} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class UsualSkeleton implements Skeleton {

    private final Usual implementation;

    UsualSkeleton(Usual implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> first(call);
            case 1 -> second(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Usual has no method index=" + index);
        }
    }

    private void first(ServerCall call) {
        WireReader in = call.arguments();
        long value = in.readLong();
        implementation.first(value);
        call.result();
    }

    private void second(ServerCall call) {
        int result = implementation.second();
        call.result().writeInt(result);
    }
}
