package org.acme;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Feed} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class FeedStub implements Feed {

    private final RpcChannel channel;

    FeedStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public double average(Flow.Publisher<Double> values) throws Feed.UnknownException {
        StreamCall call = channel.beginStream(FeedService.AVERAGE);
        try {
            call.elements(
                    FeedCodec.nonNull(values, "values is null: org.acme.Feed/average"), StreamCodec.DOUBLE);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return switch (call.thrown()) {
                case 0 -> in.readDouble();
                case 1 -> throw FeedCodec.readUnknownException(in);
                default -> throw FeedCodec.undeclared(call.thrown(), "org.acme.Feed/average");
            };
        } finally {
            call.close();
        }
    }

    @Override
    public Flow.Publisher<List<Feed.Tick>> batches(Flow.Publisher<ByteBuffer> raw, boolean all) {
        StreamCall call = channel.beginStream(FeedService.BATCHES);
        try {
            call.elements(
                    FeedCodec.nonNull(raw, "raw is null: org.acme.Feed/batches"), StreamCodec.BUFFER);
            call.arguments().writeBoolean(all);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.publish(FeedCodec.LIST_OF_TICK_STREAM);
    }

    @Override
    public Flow.Publisher<String> chat(Flow.Publisher<String> lines) {
        StreamCall call = channel.beginStream(FeedService.CHAT);
        try {
            call.elements(
                    FeedCodec.nonNull(lines, "lines is null: org.acme.Feed/chat"), FeedCodec.STRING_STREAM);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.publish(FeedCodec.STRING_STREAM);
    }

    @Override
    public Flow.Publisher<Long> count() {
        StreamCall call = channel.beginStream(FeedService.COUNT);
        return call.publish(StreamCodec.LONG);
    }

    @Override
    public Flow.Publisher<ByteBuffer> read(String path) {
        StreamCall call = channel.beginStream(FeedService.READ);
        try {
            call.arguments().writeString(
                    FeedCodec.nonNull(path, "path is null: org.acme.Feed/read"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.publish(StreamCodec.IN_PLACE);
    }

    @Override
    public Flow.Publisher<Feed.Side> sides(long instrument) throws Feed.UnknownException {
        StreamCall call = channel.beginStream(FeedService.SIDES);
        try {
            call.arguments().writeLong(instrument);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.publish(FeedCodec.SIDE_STREAM, FeedAsyncStub.SIDES);
    }

    @Override
    public CompletableFuture<Long> sum(Flow.Publisher<Integer> values) {
        StreamCall call = channel.beginStream(FeedService.SUM);
        try {
            call.elements(
                    FeedCodec.nonNull(values, "values is null: org.acme.Feed/sum"), StreamCodec.INT);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(FeedAsyncStub.SUM);
    }

    @Override
    public Flow.Publisher<Feed.Tick> ticks(String symbol, int depth) {
        StreamCall call = channel.beginStream(FeedService.TICKS);
        try {
            WireWriter out = call.arguments();
            out.writeString(FeedCodec.nonNull(symbol, "symbol is null: org.acme.Feed/ticks"));
            out.writeInt(depth);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.publish(FeedCodec.TICK_STREAM);
    }

    @Override
    public long upload(String path, Flow.Publisher<ByteBuffer> chunks) {
        StreamCall call = channel.beginStream(FeedService.UPLOAD);
        try {
            call.arguments().writeString(
                    FeedCodec.nonNull(path, "path is null: org.acme.Feed/upload"));
            call.elements(
                    FeedCodec.nonNull(chunks, "chunks is null: org.acme.Feed/upload"), StreamCodec.IN_PLACE);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readLong();
        } finally {
            call.close();
        }
    }
}
