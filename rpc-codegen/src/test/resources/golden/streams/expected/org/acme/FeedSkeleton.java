package org.acme;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Feed} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class FeedSkeleton implements Skeleton {

    private static final ServerCall.ResultWriter<Void> SIDES = FeedSkeleton::writeSides;
    private static final ServerCall.ResultWriter<Long> SUM = FeedSkeleton::writeSum;

    private final Feed implementation;

    FeedSkeleton(Feed implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> average(call);
            case 1 -> batches(call);
            case 2 -> chat(call);
            case 3 -> count(call);
            case 4 -> read(call);
            case 5 -> sides(call);
            case 6 -> sum(call);
            case 7 -> ticks(call);
            case 8 -> upload(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Feed has no method index=" + index);
        }
    }

    private void average(ServerCall call) {
        Flow.Publisher<Double> values = call.elements(StreamCodec.DOUBLE);
        double result;
        try {
            result = implementation.average(values);
        } catch (Feed.UnknownException e) {
            FeedCodec.writeUnknownException(call.exception(1), e);
            return;
        }
        call.result().writeDouble(result);
    }

    private void batches(ServerCall call) {
        WireReader in = call.arguments();
        Flow.Publisher<ByteBuffer> raw = call.elements(StreamCodec.BUFFER);
        boolean all = in.readBoolean();
        Flow.Publisher<List<Feed.Tick>> result = implementation.batches(raw, all);
        call.publish(result, FeedCodec.LIST_OF_TICK_STREAM);
    }

    private void chat(ServerCall call) {
        Flow.Publisher<String> lines = call.elements(FeedCodec.STRING_STREAM);
        Flow.Publisher<String> result = implementation.chat(lines);
        call.publish(result, FeedCodec.STRING_STREAM);
    }

    private void count(ServerCall call) {
        Flow.Publisher<Long> result = implementation.count();
        call.publish(result, StreamCodec.LONG);
    }

    private void read(ServerCall call) {
        WireReader in = call.arguments();
        String path = in.readString();
        Flow.Publisher<ByteBuffer> result = implementation.read(path);
        call.publish(result, StreamCodec.IN_PLACE);
    }

    private void sides(ServerCall call) {
        WireReader in = call.arguments();
        long instrument = in.readLong();
        Flow.Publisher<Feed.Side> result;
        try {
            result = implementation.sides(instrument);
        } catch (Feed.UnknownException e) {
            FeedCodec.writeUnknownException(call.exception(1), e);
            return;
        }
        call.publish(result, FeedCodec.SIDE_STREAM, SIDES);
    }

    private void sum(ServerCall call) {
        Flow.Publisher<Integer> values = call.elements(StreamCodec.INT);
        CompletableFuture<Long> result = implementation.sum(values);
        call.completeLater(result, SUM);
    }

    private void ticks(ServerCall call) {
        WireReader in = call.arguments();
        String symbol = in.readString();
        int depth = in.readInt();
        Flow.Publisher<Feed.Tick> result = implementation.ticks(symbol, depth);
        call.publish(result, FeedCodec.TICK_STREAM);
    }

    private void upload(ServerCall call) {
        WireReader in = call.arguments();
        String path = in.readString();
        Flow.Publisher<ByteBuffer> chunks = call.elements(StreamCodec.IN_PLACE);
        long result = implementation.upload(path, chunks);
        call.result().writeLong(result);
    }

    private static void writeSides(ServerCall call, Void result, Throwable thrown)
            throws Throwable {
        if (thrown != null) {
            Throwable cause = FeedCodec.unwrapped(thrown);
            if (cause instanceof Feed.UnknownException e) {
                FeedCodec.writeUnknownException(call.exception(1), e);
                return;
            }
            throw cause;
        }
        call.result();
    }

    private static void writeSum(ServerCall call, Long result, Throwable thrown) throws Throwable {
        if (thrown != null) {
            throw FeedCodec.unwrapped(thrown);
        }
        FeedCodec.writeNullableLong(call.result(), result);
    }
}
