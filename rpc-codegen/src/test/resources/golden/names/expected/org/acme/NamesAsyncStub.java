package org.acme;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.Values;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Names} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings("overloads")
final class NamesAsyncStub implements NamesAsync {

    static final ResultReader.OfLong BEGIN_SUM = (in, thrown) -> in.readLong();
    static final ResultReader.OfInt FINGERPRINT = (in, thrown) -> in.readInt();
    static final ResultReader<Optional<Names.Map>> MAP = NamesAsyncStub::readMap;
    static final ResultReader<Names.Status> METADATA = (in, thrown) -> NamesCodec.readStatus2(in);
    static final ResultReader.OfInt READ_STATUS = (in, thrown) -> in.readInt();
    static final ResultReader<Names.Status> STATUS = (in, thrown) -> NamesCodec.readStatus2(in);
    static final ResultReader.OfInt SUM_INT = (in, thrown) -> in.readInt();
    static final ResultReader.OfLong SUM_LONG = (in, thrown) -> in.readLong();
    static final ResultReader.OfLong SUM_CALL = (in, thrown) -> in.readLong();
    static final ResultReader<Void> WRITE_METADATA = (in, thrown) -> null;

    private final RpcChannel channel;

    NamesAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Long> beginSum(long a) {
        return beginBeginSum(a).invokeAsync(BEGIN_SUM);
    }

    @Override
    public void beginSum(long a, RpcCallback.OfLong callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Names/beginSum");
        beginBeginSum(a).invokeCallbackLong(BEGIN_SUM, callback);
    }

    @Override
    public CompletableFuture<Integer> fingerprint(int methods) {
        return beginFingerprint(methods).invokeAsync(FINGERPRINT);
    }

    @Override
    public void fingerprint(int methods, RpcCallback.OfInt callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Names/fingerprint");
        beginFingerprint(methods).invokeCallbackInt(FINGERPRINT, callback);
    }

    @Override
    public CompletableFuture<Optional<Names.Map>> map(List<Names.Map> maps, UUID value) {
        return beginMap(maps, value).invokeAsync(MAP);
    }

    @Override
    public void map(List<Names.Map> maps, UUID value, RpcCallback<Optional<Names.Map>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Names/map");
        beginMap(maps, value).invokeCallback(MAP, callback);
    }

    @Override
    public CompletableFuture<Names.Status> metadata() {
        return beginMetadata().invokeAsync(METADATA);
    }

    @Override
    public void metadata(RpcCallback<Names.Status> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Names/metadata");
        beginMetadata().invokeCallback(METADATA, callback);
    }

    @Override
    public CompletableFuture<Integer> readStatus(Names.Inner.Status same, Names.Status other) {
        return beginReadStatus(same, other).invokeAsync(READ_STATUS);
    }

    @Override
    public void readStatus(Names.Inner.Status same, Names.Status other,
            RpcCallback.OfInt callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Names/readStatus");
        beginReadStatus(same, other).invokeCallbackInt(READ_STATUS, callback);
    }

    @Override
    public CompletableFuture<Names.Status> status(Names.Values values, Names.WireReader reader,
            Names.List list, Names.RpcException exception) {
        return beginStatus(values, reader, list, exception).invokeAsync(STATUS);
    }

    @Override
    public void status(Names.Values values, Names.WireReader reader, Names.List list,
            Names.RpcException exception, RpcCallback<Names.Status> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Names/status");
        beginStatus(values, reader, list, exception).invokeCallback(STATUS, callback);
    }

    @Override
    public CompletableFuture<Integer> sum(int callback) {
        return beginSumInt(callback).invokeAsync(SUM_INT);
    }

    @Override
    public void sum(int callback, RpcCallback.OfInt callback_) {
        Objects.requireNonNull(callback_, "callback is null: org.acme.Names/sum");
        beginSumInt(callback).invokeCallbackInt(SUM_INT, callback_);
    }

    @Override
    public CompletableFuture<Long> sum(long call) {
        return beginSumLong(call).invokeAsync(SUM_LONG);
    }

    @Override
    public void sum(long call, RpcCallback.OfLong callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Names/sum");
        beginSumLong(call).invokeCallbackLong(SUM_LONG, callback);
    }

    @Override
    public CompletableFuture<Long> sumCall(long a) {
        return beginSumCall(a).invokeAsync(SUM_CALL);
    }

    @Override
    public void sumCall(long a, RpcCallback.OfLong callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Names/sumCall");
        beginSumCall(a).invokeCallbackLong(SUM_CALL, callback);
    }

    @Override
    public CompletableFuture<Void> writeMetadata(Names.ClientCall out) {
        return beginWriteMetadata(out).invokeAsync(WRITE_METADATA);
    }

    @Override
    public void writeMetadata(Names.ClientCall out, RpcCallback<Void> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Names/writeMetadata");
        beginWriteMetadata(out).invokeCallback(WRITE_METADATA, callback);
    }

    private ClientCall beginBeginSum(long a) {
        ClientCall call = channel.begin(NamesService.BEGIN_SUM);
        try {
            call.arguments().writeLong(a);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginFingerprint(int methods) {
        ClientCall call = channel.begin(NamesService.FINGERPRINT);
        try {
            call.arguments().writeInt(methods);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginMap(List<Names.Map> maps, UUID value) {
        ClientCall call = channel.begin(NamesService.MAP);
        try {
            WireWriter out = call.arguments();
            NamesCodec.writeListOfMap(out,
                    NamesCodec.nonNull(maps, "maps is null: org.acme.Names/map"));
            Values.writeUuid(out, NamesCodec.nonNull(value, "value is null: org.acme.Names/map"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private static Optional<Names.Map> readMap(WireReader in, int thrown) throws Names.ArrayList {
        return switch (thrown) {
            case 0 -> NamesCodec.readOptionalOfMap(in);
            case 1 -> throw NamesCodec.readArrayList(in);
            default -> throw NamesCodec.undeclared(thrown, "org.acme.Names/map");
        };
    }

    private ClientCall beginMetadata() {
        ClientCall call = channel.begin(NamesService.METADATA);
        return call;
    }

    private ClientCall beginReadStatus(Names.Inner.Status same, Names.Status other) {
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
        return call;
    }

    private ClientCall beginStatus(Names.Values values, Names.WireReader reader, Names.List list,
            Names.RpcException exception) {
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
        return call;
    }

    private ClientCall beginSumInt(int callback) {
        ClientCall call = channel.begin(NamesService.SUM_INT);
        try {
            call.arguments().writeInt(callback);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginSumLong(long call) {
        ClientCall call_ = channel.begin(NamesService.SUM_LONG);
        try {
            call_.arguments().writeLong(call);
        } catch (Throwable t) {
            throw call_.abandon(t);
        }
        return call_;
    }

    private ClientCall beginSumCall(long a) {
        ClientCall call = channel.begin(NamesService.SUM_CALL);
        try {
            call.arguments().writeLong(a);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginWriteMetadata(Names.ClientCall out) {
        ClientCall call = channel.begin(NamesService.WRITE_METADATA);
        try {
            NamesCodec.writeClientCall(call.arguments(),
                    NamesCodec.nonNull(out, "out is null: org.acme.Names/writeMetadata"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
