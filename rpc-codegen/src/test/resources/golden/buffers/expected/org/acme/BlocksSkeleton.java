package org.acme;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls an implementation of {@link Blocks} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class BlocksSkeleton implements Skeleton {

    private final Blocks implementation;

    BlocksSkeleton(Blocks implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> copy(call);
            case 1 -> prefetch(call);
            case 2 -> read(call);
            case 3 -> readSome(call);
            case 4 -> write(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Blocks has no method index=" + index);
        }
    }

    private void copy(ServerCall call) {
        WireReader in = call.arguments();
        ByteBuffer from = in.readView();
        WireWriter out = call.result();
        ByteBuffer into = out.reserve(in.readInt());
        int result = implementation.copy(from, into);
        out.commit(into);
        out.writeInt(result);
    }

    private void prefetch(ServerCall call) {
        WireReader in = call.arguments();
        ByteBuffer blocks = in.readView();
        implementation.prefetch(blocks);
    }

    private void read(ServerCall call) {
        WireReader in = call.arguments();
        long block = in.readLong();
        WireWriter out = call.result();
        ByteBuffer into = out.reserve(in.readInt());
        implementation.read(block, into);
        out.commit(into);
    }

    private void readSome(ServerCall call) {
        WireReader in = call.arguments();
        WireWriter out = call.result();
        ByteBuffer into = out.reserve(in.readInt());
        long block = in.readLong();
        int result;
        try {
            result = implementation.readSome(into, block);
        } catch (IOException e) {
            BlocksCodec.writeIOException(call.exception(1), e);
            return;
        }
        out.commit(into);
        out.writeInt(result);
    }

    private void write(ServerCall call) {
        WireReader in = call.arguments();
        long block = in.readLong();
        ByteBuffer bytes = in.readView();
        long result = implementation.write(block, bytes);
        call.result().writeLong(result);
    }
}
