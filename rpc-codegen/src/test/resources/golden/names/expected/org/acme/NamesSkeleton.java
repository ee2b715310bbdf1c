package org.acme;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.Values;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Names} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class NamesSkeleton implements Skeleton {

    private static final ServerCall.ResultWriter<Names.Status> METADATA =
            NamesSkeleton::writeMetadata;

    private final Names implementation;

    NamesSkeleton(Names implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> beginSum(call);
            case 1 -> fingerprint(call);
            case 2 -> map(call);
            case 3 -> metadata(call);
            case 4 -> readStatus(call);
            case 5 -> status(call);
            case 6 -> sumInt(call);
            case 7 -> sumLong(call);
            case 8 -> sumCall(call);
            case 9 -> writeMetadata(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Names has no method index=" + index);
        }
    }

    private void beginSum(ServerCall call) {
        WireReader in = call.arguments();
        long a = in.readLong();
        long result = implementation.beginSum(a);
        call.result().writeLong(result);
    }

    private void fingerprint(ServerCall call) {
        WireReader in = call.arguments();
        int methods = in.readInt();
        int result = implementation.fingerprint(methods);
        call.result().writeInt(result);
    }

    private void map(ServerCall call) {
        WireReader in = call.arguments();
        List<Names.Map> maps = NamesCodec.readListOfMap(in);
        UUID value = Values.readUuid(in);
        Optional<Names.Map> result;
        try {
            result = implementation.map(maps, value);
        } catch (Names.ArrayList e) {
            NamesCodec.writeArrayList(call.exception(1), e);
            return;
        }
        NamesCodec.writeOptionalOfMap(call.result(),
                NamesCodec.returned(result, "org.acme.Names/map returned null"));
    }

    private void metadata(ServerCall call) {
        CompletableFuture<Names.Status> result = implementation.metadata();
        call.completeLater(result, METADATA);
    }

    private void readStatus(ServerCall call) {
        WireReader in = call.arguments();
        Names.Inner.Status same = NamesCodec.readStatus(in);
        Names.Status other = NamesCodec.readStatus2(in);
        int result = implementation.readStatus(same, other);
        call.result().writeInt(result);
    }

    private void status(ServerCall call) {
        WireReader in = call.arguments();
        Names.Values values = NamesCodec.readValues(in);
        Names.WireReader reader = NamesCodec.readWireReader(in);
        Names.List list = NamesCodec.readList(in);
        Names.RpcException exception = NamesCodec.readRpcException(in);
        Names.Status result = implementation.status(values, reader, list, exception);
        NamesCodec.writeStatus2(call.result(),
                NamesCodec.returned(result, "org.acme.Names/status returned null"));
    }

    private void sumInt(ServerCall call) {
        WireReader in = call.arguments();
        int callback = in.readInt();
        int result = implementation.sum(callback);
        call.result().writeInt(result);
    }

    private void sumLong(ServerCall call) {
        WireReader in = call.arguments();
        long call_ = in.readLong();
        long result = implementation.sum(call_);
        call.result().writeLong(result);
    }

    private void sumCall(ServerCall call) {
        WireReader in = call.arguments();
        long a = in.readLong();
        long result = implementation.sumCall(a);
        call.result().writeLong(result);
    }

    private void writeMetadata(ServerCall call) {
        WireReader in = call.arguments();
        Names.ClientCall out_ = NamesCodec.readClientCall(in);
        implementation.writeMetadata(out_);
        call.result();
    }

    private static void writeMetadata(ServerCall call, Names.Status result, Throwable thrown)
            throws Throwable {
        if (thrown != null) {
            throw NamesCodec.unwrapped(thrown);
        }
        NamesCodec.writeStatus2(call.result(),
                NamesCodec.returned(result, "org.acme.Names/metadata returned null"));
    }
}
