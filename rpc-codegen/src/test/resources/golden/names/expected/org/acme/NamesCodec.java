package org.acme;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.concurrent.CompletionException;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Names} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class NamesCodec {

    private NamesCodec() {
    }

    static void writeClientCall(WireWriter out, Names.ClientCall value) {
        out.writeInt(value.f());
    }

    static Names.ClientCall readClientCall(WireReader in) {
        return new Names.ClientCall(in.readInt());
    }

    static void writeList(WireWriter out, Names.List value) {
        out.writeInt(value.c());
    }

    static Names.List readList(WireReader in) {
        return new Names.List(in.readInt());
    }

    static void writeListOfMap(WireWriter out, List<Names.Map> value) {
        List<Names.Map> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeMap(out, nonNull(list.get(i), "element of List<Names.Map> is null"));
        }
    }

    static List<Names.Map> readListOfMap(WireReader in) {
        int count = in.readCount(4);
        List<Names.Map> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readMap(in));
        }
        return value;
    }

    static void writeMap(WireWriter out, Names.Map value) {
        out.writeInt(value.d());
    }

    static Names.Map readMap(WireReader in) {
        return new Names.Map(in.readInt());
    }

    static void writeOptionalOfMap(WireWriter out, Optional<Names.Map> value) {
        if (out.writePresence(value.isPresent())) {
            writeMap(out, value.get());
        }
    }

    static Optional<Names.Map> readOptionalOfMap(WireReader in) {
        return in.readPresence() ? Optional.of(readMap(in)) : Optional.empty();
    }

    static void writeRpcException(WireWriter out, Names.RpcException value) {
        out.writeInt(value.e());
    }

    static Names.RpcException readRpcException(WireReader in) {
        return new Names.RpcException(in.readInt());
    }

    static void writeStatus(WireWriter out, Names.Inner.Status value) {
        out.writeLong(value.code());
    }

    static Names.Inner.Status readStatus(WireReader in) {
        return new Names.Inner.Status(in.readLong());
    }

    static void writeStatus2(WireWriter out, Names.Status value) {
        out.writeInt(value.code());
    }

    static Names.Status readStatus2(WireReader in) {
        return new Names.Status(in.readInt());
    }

    static void writeValues(WireWriter out, Names.Values value) {
        out.writeInt(value.a());
    }

    static Names.Values readValues(WireReader in) {
        return new Names.Values(in.readInt());
    }

    static void writeWireReader(WireWriter out, Names.WireReader value) {
        out.writeInt(value.b());
    }

    static Names.WireReader readWireReader(WireReader in) {
        return new Names.WireReader(in.readInt());
    }

    static void writeArrayList(WireWriter out, Names.ArrayList value) {
    }

    static Names.ArrayList readArrayList(WireReader in) {
        return new Names.ArrayList();
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
