package org.acme;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Names} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class NamesStub implements Names {

    private final RpcChannel channel;

    NamesStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public long beginSum(long a) {
        org.jvrpc.api.stub.ClientCall call = channel.begin(NamesService.BEGIN_SUM);
        try {
            call.arguments().writeLong(a);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            org.jvrpc.api.wire.WireReader in = call.invoke();
            return in.readLong();
        } finally {
            call.close();
        }
    }

    @Override
    public int fingerprint(int methods) {
        org.jvrpc.api.stub.ClientCall call = channel.begin(NamesService.FINGERPRINT);
        try {
            call.arguments().writeInt(methods);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            org.jvrpc.api.wire.WireReader in = call.invoke();
            return in.readInt();
        } finally {
            call.close();
        }
    }

    @Override
    public Optional<Names.Map> map(java.util.List<Names.Map> maps, UUID value)
            throws Names.ArrayList {
        org.jvrpc.api.stub.ClientCall call = channel.begin(NamesService.MAP);
        try {
            WireWriter out = call.arguments();
            NamesCodec.writeListOfMap(out,
                    NamesCodec.nonNull(maps, "maps is null: org.acme.Names/map"));
            org.jvrpc.api.wire.Values.writeUuid(out,
                    NamesCodec.nonNull(value, "value is null: org.acme.Names/map"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            org.jvrpc.api.wire.WireReader in = call.invoke();
            return switch (call.thrown()) {
                case 0 -> NamesCodec.readOptionalOfMap(in);
                case 1 -> throw NamesCodec.readArrayList(in);
                default -> throw NamesCodec.undeclared(call.thrown(), "org.acme.Names/map");
            };
        } finally {
            call.close();
        }
    }

    @Override
    public CompletableFuture<Names.Status> metadata() {
        org.jvrpc.api.stub.ClientCall call = channel.begin(NamesService.METADATA);
        return call.invokeAsync(NamesAsyncStub.METADATA);
    }

    @Override
    public int readStatus(Names.Inner.Status same, Names.Status other) {
        org.jvrpc.api.stub.ClientCall call = channel.begin(NamesService.READ_STATUS);
        try {
            WireWriter out = call.arguments();
            NamesCodec.writeStatus(out,
                    NamesCodec.nonNull(same, "same is null: org.acme.Names/readStatus"));
            NamesCodec.writeStatus2(out,
                    NamesCodec.nonNull(other, "other is null: org.acme.Names/readStatus"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            org.jvrpc.api.wire.WireReader in = call.invoke();
            return in.readInt();
        } finally {
            call.close();
        }
    }

    @Override
    public Names.Status status(Names.Values values, Names.WireReader reader, Names.List list,
            Names.RpcException exception) {
        org.jvrpc.api.stub.ClientCall call = channel.begin(NamesService.STATUS);
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
        try {
            org.jvrpc.api.wire.WireReader in = call.invoke();
            return NamesCodec.readStatus2(in);
        } finally {
            call.close();
        }
    }

    @Override
    public int sum(int callback) {
        org.jvrpc.api.stub.ClientCall call = channel.begin(NamesService.SUM_INT);
        try {
            call.arguments().writeInt(callback);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            org.jvrpc.api.wire.WireReader in = call.invoke();
            return in.readInt();
        } finally {
            call.close();
        }
    }

    @Override
    public long sum(long call) {
        org.jvrpc.api.stub.ClientCall call_ = channel.begin(NamesService.SUM_LONG);
        try {
            call_.arguments().writeLong(call);
        } catch (Throwable t) {
            throw call_.abandon(t);
        }
        try {
            org.jvrpc.api.wire.WireReader in = call_.invoke();
            return in.readLong();
        } finally {
            call_.close();
        }
    }

    @Override
    public long sumCall(long a) {
        org.jvrpc.api.stub.ClientCall call = channel.begin(NamesService.SUM_CALL);
        try {
            call.arguments().writeLong(a);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            org.jvrpc.api.wire.WireReader in = call.invoke();
            return in.readLong();
        } finally {
            call.close();
        }
    }

    @Override
    public void writeMetadata(Names.ClientCall out) {
        org.jvrpc.api.stub.ClientCall call = channel.begin(NamesService.WRITE_METADATA);
        try {
            NamesCodec.writeClientCall(call.arguments(),
                    NamesCodec.nonNull(out, "out is null: org.acme.Names/writeMetadata"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            call.invoke();
        } finally {
            call.close();
        }
    }
}
