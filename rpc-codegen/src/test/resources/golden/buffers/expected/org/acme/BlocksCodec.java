package org.acme;

import java.io.IOException;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Blocks} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class BlocksCodec {

    private BlocksCodec() {
    }

    static void writeNullableString(WireWriter out, String value) {
        if (out.writePresence(value != null)) {
            out.writeString(value);
        }
    }

    static String readNullableString(WireReader in) {
        return in.readPresence() ? in.readString() : null;
    }

    static void writeIOException(WireWriter out, IOException value) {
        writeNullableString(out, value.getMessage());
    }

    static IOException readIOException(WireReader in) {
        return new IOException(readNullableString(in));
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
}
