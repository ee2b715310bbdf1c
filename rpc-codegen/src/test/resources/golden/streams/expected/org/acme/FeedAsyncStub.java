package org.acme;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Feed} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class FeedAsyncStub implements FeedAsync {

    static final ResultReader.OfDouble AVERAGE = FeedAsyncStub::readAverage;
    static final ResultReader<Void> SIDES = FeedAsyncStub::readSides;
    static final ResultReader<Long> SUM = (in, thrown) -> FeedCodec.readNullableLong(in);
    static final ResultReader.OfLong UPLOAD = (in, thrown) -> in.readLong();

    private final RpcChannel channel;

    FeedAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Double> average(Flow.Publisher<Double> values) {
        return beginAverage(values).invokeAsync(AVERAGE);
    }

    @Override
    public void average(Flow.Publisher<Double> values, RpcCallback.OfDouble callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Feed/average");
        beginAverage(values).invokeCallbackDouble(AVERAGE, callback);
    }

    @Override
    public CompletableFuture<Long> sum(Flow.Publisher<Integer> values) {
        return beginSum(values).invokeAsync(SUM);
    }

    @Override
    public void sum(Flow.Publisher<Integer> values, RpcCallback<Long> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Feed/sum");
        beginSum(values).invokeCallback(SUM, callback);
    }

    @Override
    public CompletableFuture<Long> upload(String path, Flow.Publisher<ByteBuffer> chunks) {
        return beginUpload(path, chunks).invokeAsync(UPLOAD);
    }

    @Override
    public void upload(String path, Flow.Publisher<ByteBuffer> chunks,
            RpcCallback.OfLong callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Feed/upload");
        beginUpload(path, chunks).invokeCallbackLong(UPLOAD, callback);
    }

    private StreamCall beginAverage(Flow.Publisher<Double> values) {
        StreamCall call = channel.beginStream(FeedService.AVERAGE);
        try {
            call.elements(
                    FeedCodec.nonNull(values, "values is null: org.acme.Feed/average"), StreamCodec.DOUBLE);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private static double readAverage(WireReader in, int thrown) throws Feed.UnknownException {
        return switch (thrown) {
            case 0 -> in.readDouble();
            case 1 -> throw FeedCodec.readUnknownException(in);
            default -> throw FeedCodec.undeclared(thrown, "org.acme.Feed/average");
        };
    }

    private static Void readSides(WireReader in, int thrown) throws Feed.UnknownException {
        return switch (thrown) {
            case 0 -> null;
            case 1 -> throw FeedCodec.readUnknownException(in);
            default -> throw FeedCodec.undeclared(thrown, "org.acme.Feed/sides");
        };
    }

    private StreamCall beginSum(Flow.Publisher<Integer> values) {
        StreamCall call = channel.beginStream(FeedService.SUM);
        try {
            call.elements(
                    FeedCodec.nonNull(values, "values is null: org.acme.Feed/sum"), StreamCodec.INT);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private StreamCall beginUpload(String path, Flow.Publisher<ByteBuffer> chunks) {
        StreamCall call = channel.beginStream(FeedService.UPLOAD);
        try {
            call.arguments().writeString(
                    FeedCodec.nonNull(path, "path is null: org.acme.Feed/upload"));
            call.elements(
                    FeedCodec.nonNull(chunks, "chunks is null: org.acme.Feed/upload"), StreamCodec.IN_PLACE);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
