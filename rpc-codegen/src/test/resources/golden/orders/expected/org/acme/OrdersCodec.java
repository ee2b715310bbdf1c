package org.acme;

import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.concurrent.CompletionException;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Orders} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class OrdersCodec {

    private static final Side[] SIDE_VALUES = Side.values();

    private OrdersCodec() {
    }

    static void writeLeg(WireWriter out, Leg value) {
        out.writeLong(value.instrument());
        out.writeInt(value.ratio());
    }

    static Leg readLeg(WireReader in) {
        return new Leg(in.readLong(), in.readInt());
    }

    static void writeListOfLeg(WireWriter out, List<Leg> value) {
        List<Leg> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeLeg(out, nonNull(list.get(i), "element of List<Leg> is null"));
        }
    }

    static List<Leg> readListOfLeg(WireReader in) {
        int count = in.readCount(12);
        List<Leg> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readLeg(in));
        }
        return value;
    }

    static void writeMapOfStringToNullableLong(WireWriter out, Map<String, Long> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Map.Entry<String, Long> entry : value.entrySet()) {
            out.writeString(nonNull(entry.getKey(), "key of Map<String, Long> is null"));
            writeNullableLong(out, entry.getValue());
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException(
                    "Map<String, Long> changed while it was written");
        }
    }

    static Map<String, Long> readMapOfStringToNullableLong(WireReader in) {
        int count = in.readCount(5);
        Map<String, Long> value = new LinkedHashMap<>(count);
        for (int i = 0; i < count; i++) {
            value.put(in.readString(), readNullableLong(in));
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

    static void writeOrder(WireWriter out, Order value) {
        out.writeLong(value.id());
        out.writeString(nonNull(value.symbol(), "Order.symbol is null"));
        out.writeEnum(nonNull(value.side(), "Order.side is null"));
        out.writeInt(value.quantity());
        out.writeDouble(value.price());
        writeListOfLeg(out, nonNull(value.legs(), "Order.legs is null"));
    }

    static Order readOrder(WireReader in) {
        return new Order(
                in.readLong(),
                in.readString(),
                readSide(in),
                in.readInt(),
                in.readDouble(),
                readListOfLeg(in));
    }

    static void writeQuery(WireWriter out, Query value) {
        out.writeString(nonNull(value.symbol(), "Query.symbol is null"));
        out.writeLong(value.from());
        out.writeLong(value.to());
    }

    static Query readQuery(WireReader in) {
        return new Query(in.readString(), in.readLong(), in.readLong());
    }

    static void writeReport(WireWriter out, Report value) {
        out.writeLong(value.orders());
        out.writeDouble(value.volume());
        writeMapOfStringToNullableLong(out, nonNull(value.bySymbol(), "Report.bySymbol is null"));
    }

    static Report readReport(WireReader in) {
        return new Report(in.readLong(), in.readDouble(), readMapOfStringToNullableLong(in));
    }

    static Side readSide(WireReader in) {
        return in.readEnum(SIDE_VALUES);
    }

    static void writeNoSuchOrderException(WireWriter out, NoSuchOrderException value) {
        out.writeLong(value.id());
    }

    static NoSuchOrderException readNoSuchOrderException(WireReader in) {
        return new NoSuchOrderException(in.readLong());
    }

    static <T> T nonNull(T value, String message) {
        if (value == null) {
            throw new RpcException(Status.INVALID_ARGUMENT, message);
        }
        return value;
    }

    static <T> T returned(T value, String message) {
        if (value == null) {
            throw new RpcException(Status.INTERNAL, message);
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
