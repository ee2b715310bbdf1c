package org.acme;

import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import java.util.concurrent.CompletionException;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Feed} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class FeedCodec {

    static final StreamCodec<List<Feed.Tick>> LIST_OF_TICK_STREAM = StreamCodec.of(
            in -> readListOfTick(in),
            (out, value) -> writeListOfTick(out, value));
    static final StreamCodec<Feed.Side> SIDE_STREAM = StreamCodec.of(
            in -> readSide(in),
            (out, value) -> out.writeEnum(value));
    static final StreamCodec<String> STRING_STREAM = StreamCodec.of(
            in -> in.readString(),
            (out, value) -> out.writeString(value));
    static final StreamCodec<Feed.Tick> TICK_STREAM = StreamCodec.of(
            in -> readTick(in),
            (out, value) -> writeTick(out, value));
    private static final Feed.Side[] SIDE_VALUES = Feed.Side.values();

    private FeedCodec() {
    }

    static void writeListOfTick(WireWriter out, List<Feed.Tick> value) {
        List<Feed.Tick> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeTick(out, nonNull(list.get(i), "element of List<Feed.Tick> is null"));
        }
    }

    static List<Feed.Tick> readListOfTick(WireReader in) {
        int count = in.readCount(16);
        List<Feed.Tick> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readTick(in));
        }
        return value;
    }

    static void writeNullableLong(WireWriter out, Long value) {
        if (out.writePresence(value != null)) {
            out.writeLong(value);
        }
    }

    static Long readNullableLong(WireReader in) {
        return in.readPresence() ? in.readLong() : null;
    }

    static Feed.Side readSide(WireReader in) {
        return in.readEnum(SIDE_VALUES);
    }

    static void writeTick(WireWriter out, Feed.Tick value) {
        out.writeLong(value.instrument());
        out.writeDouble(value.price());
    }

    static Feed.Tick readTick(WireReader in) {
        return new Feed.Tick(in.readLong(), in.readDouble());
    }

    static void writeUnknownException(WireWriter out, Feed.UnknownException value) {
        out.writeLong(value.instrument());
    }

    static Feed.UnknownException readUnknownException(WireReader in) {
        return new Feed.UnknownException(in.readLong());
    }

    static <T> T nonNull(T value, String message) {
        if (value == null) {
            throw new RpcException(Status.INVALID_ARGUMENT, message);
        }
        return value;
    }

    static RpcException undeclared(int thrown, String method) {
        return new RpcException(Status.INTERNAL, method + " does not declare exception number=" + thrown);
    }

    static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
