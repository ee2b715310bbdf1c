package org.acme;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.Values;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Names} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class NamesAsyncStub implements NamesAsync {

    static final ResultReader<Integer> FINGERPRINT = (in, thrown) -> in.readInt();
    static final ResultReader<Optional<Names.Map>> MAP = NamesAsyncStub::readMap;
    static final ResultReader<Names.Status> METADATA = (in, thrown) -> NamesCodec.readStatus2(in);
    static final ResultReader<Integer> READ_STATUS = (in, thrown) -> in.readInt();
    static final ResultReader<Names.Status> STATUS = (in, thrown) -> NamesCodec.readStatus2(in);
    static final ResultReader<Void> WRITE_METADATA = (in, thrown) -> null;

    private final RpcChannel channel;

    NamesAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Integer> fingerprint(int methods) {
        ClientCall call = channel.begin(NamesService.FINGERPRINT);
        try {
            call.arguments().writeInt(methods);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(FINGERPRINT);
    }

    @Override
    public CompletableFuture<Optional<Names.Map>> map(List<Names.Map> maps, UUID value) {
        ClientCall call = channel.begin(NamesService.MAP);
        try {
            WireWriter out = call.arguments();
            NamesCodec.writeListOfMap(out,
                    NamesCodec.nonNull(maps, "maps is null: org.acme.Names/map"));
            Values.writeUuid(out, NamesCodec.nonNull(value, "value is null: org.acme.Names/map"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(MAP);
    }

    @Override
    public CompletableFuture<Names.Status> metadata() {
        ClientCall call = channel.begin(NamesService.METADATA);
        return call.invokeAsync(METADATA);
    }

    @Override
    public CompletableFuture<Integer> readStatus(Names.Inner.Status same, Names.Status other) {
        ClientCall call = channel.begin(NamesService.READ_STATUS);
        try {
            WireWriter out = call.arguments();
            NamesCodec.writeStatus(out,
                    NamesCodec.nonNull(same, "same is null: org.acme.Names/readStatus"));
            NamesCodec.writeStatus2(out,
                    NamesCodec.nonNull(other, "other is null: org.acme.Names/readStatus"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(READ_STATUS);
    }

    @Override
    public CompletableFuture<Names.Status> status(Names.Values values, Names.WireReader reader,
            Names.List list, Names.RpcException exception) {
        ClientCall call = channel.begin(NamesService.STATUS);
        try {
            WireWriter out = call.arguments();
            NamesCodec.writeValues(out,
                    NamesCodec.nonNull(values, "values is null: org.acme.Names/status"));
            NamesCodec.writeWireReader(out,
                    NamesCodec.nonNull(reader, "reader is null: org.acme.Names/status"));
            NamesCodec.writeList(out,
                    NamesCodec.nonNull(list, "list is null: org.acme.Names/status"));
            NamesCodec.writeRpcException(out,
                    NamesCodec.nonNull(exception, "exception is null: org.acme.Names/status"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(STATUS);
    }

    @Override
    public CompletableFuture<Void> writeMetadata(Names.ClientCall out) {
        ClientCall call = channel.begin(NamesService.WRITE_METADATA);
        try {
            NamesCodec.writeClientCall(call.arguments(),
                    NamesCodec.nonNull(out, "out is null: org.acme.Names/writeMetadata"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(WRITE_METADATA);
    }

    private static Optional<Names.Map> readMap(WireReader in, int thrown) throws Names.ArrayList {
        return switch (thrown) {
            case 0 -> NamesCodec.readOptionalOfMap(in);
            case 1 -> throw NamesCodec.readArrayList(in);
            default -> throw NamesCodec.undeclared(thrown, "org.acme.Names/map");
        };
    }
}
