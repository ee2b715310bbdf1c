package org.acme;

import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Prices} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class PricesCodec {

    private PricesCodec() {
    }

    static void writeListOfQuote(WireWriter out, List<Prices.Quote> value) {
        List<Prices.Quote> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeQuote(out, nonNull(list.get(i), "element of List<Prices.Quote> is null"));
        }
    }

    static List<Prices.Quote> readListOfQuote(WireReader in) {
        int count = in.readCount(20);
        List<Prices.Quote> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readQuote(in));
        }
        return value;
    }

    static void writeNullableString(WireWriter out, String value) {
        if (out.writePresence(value != null)) {
            out.writeString(value);
        }
    }

    static String readNullableString(WireReader in) {
        return in.readPresence() ? in.readString() : null;
    }

    static void writeQuote(WireWriter out, Prices.Quote value) {
        out.writeString(nonNull(value.symbol(), "Quote.symbol is null"));
        out.writeDouble(value.bid());
        out.writeDouble(value.ask());
    }

    static Prices.Quote readQuote(WireReader in) {
        return new Prices.Quote(in.readString(), in.readDouble(), in.readDouble());
    }

    static void writeIllegalArgumentException(WireWriter out, IllegalArgumentException value) {
        writeNullableString(out, value.getMessage());
    }

    static IllegalArgumentException readIllegalArgumentException(WireReader in) {
        return new IllegalArgumentException(readNullableString(in));
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
}
