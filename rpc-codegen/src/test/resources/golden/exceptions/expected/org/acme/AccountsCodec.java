package org.acme;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import java.util.concurrent.CompletionException;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.Values;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Accounts} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class AccountsCodec {

    private static final Overdrawn.Kind[] KIND_VALUES = Overdrawn.Kind.values();

    private AccountsCodec() {
    }

    static Overdrawn.Kind readKind(WireReader in) {
        return in.readEnum(KIND_VALUES);
    }

    static void writeListOfInstant(WireWriter out, List<Instant> value) {
        List<Instant> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            Values.writeInstant(out, nonNull(list.get(i), "element of List<Instant> is null"));
        }
    }

    static List<Instant> readListOfInstant(WireReader in) {
        int count = in.readCount(12);
        List<Instant> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(Values.readInstant(in));
        }
        return value;
    }

    static void writeNullableKind(WireWriter out, Overdrawn.Kind value) {
        if (out.writePresence(value != null)) {
            out.writeEnum(value);
        }
    }

    static Overdrawn.Kind readNullableKind(WireReader in) {
        return in.readPresence() ? readKind(in) : null;
    }

    static void writeNullableListOfInstant(WireWriter out, List<Instant> value) {
        if (out.writePresence(value != null)) {
            writeListOfInstant(out, value);
        }
    }

    static List<Instant> readNullableListOfInstant(WireReader in) {
        return in.readPresence() ? readListOfInstant(in) : null;
    }

    static void writeNullableString(WireWriter out, String value) {
        if (out.writePresence(value != null)) {
            out.writeString(value);
        }
    }

    static String readNullableString(WireReader in) {
        return in.readPresence() ? in.readString() : null;
    }

    static void writeFileNotFoundException(WireWriter out, FileNotFoundException value) {
        writeNullableString(out, value.getMessage());
    }

    static FileNotFoundException readFileNotFoundException(WireReader in) {
        return new FileNotFoundException(readNullableString(in));
    }

    static void writeIOException(WireWriter out, IOException value) {
        writeNullableString(out, value.getMessage());
    }

    static IOException readIOException(WireReader in) {
        return new IOException(readNullableString(in));
    }

    static void writeException(WireWriter out, Exception value) {
        writeNullableString(out, value.getMessage());
    }

    static Exception readException(WireReader in) {
        return new Exception(readNullableString(in));
    }

    static void writeIllegalArgumentException(WireWriter out, IllegalArgumentException value) {
        writeNullableString(out, value.getMessage());
    }

    static IllegalArgumentException readIllegalArgumentException(WireReader in) {
        return new IllegalArgumentException(readNullableString(in));
    }

    static void writeIllegalStateException(WireWriter out, IllegalStateException value) {
        writeNullableString(out, value.getMessage());
    }

    static IllegalStateException readIllegalStateException(WireReader in) {
        return new IllegalStateException(readNullableString(in));
    }

    static void writeClosed(WireWriter out, Closed value) {
    }

    static Closed readClosed(WireReader in) {
        return new Closed();
    }

    static void writeOverdrawn(WireWriter out, Overdrawn value) {
        writeNullableString(out, value.getMessage());
        out.writeLong(value.account());
        writeNullableListOfInstant(out, value.getSince());
        writeNullableKind(out, value.getKind());
    }

    static Overdrawn readOverdrawn(WireReader in) {
        return new Overdrawn(
                readNullableString(in),
                in.readLong(),
                readNullableListOfInstant(in),
                readNullableKind(in));
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
