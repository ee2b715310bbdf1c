package org.jvrpc.api.reflection;

import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.Values;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Reflection} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ReflectionCodec {

    private ReflectionCodec() {
    }

    static void writeListOfMethodTraits(WireWriter out, List<MethodTraits> value) {
        List<MethodTraits> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeMethodTraits(out, nonNull(list.get(i), "element of List<MethodTraits> is null"));
        }
    }

    static List<MethodTraits> readListOfMethodTraits(WireReader in) {
        int count = in.readCount(15);
        List<MethodTraits> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readMethodTraits(in));
        }
        return value;
    }

    static void writeListOfString(WireWriter out, List<String> value) {
        List<String> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            out.writeString(nonNull(list.get(i), "element of List<String> is null"));
        }
    }

    static List<String> readListOfString(WireReader in) {
        int count = in.readCount(4);
        List<String> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(in.readString());
        }
        return value;
    }

    static void writeMethodTraits(WireWriter out, MethodTraits value) {
        out.writeBoolean(value.heavy());
        out.writeBoolean(value.idempotent());
        out.writeBoolean(value.offload());
        Values.writeDuration(out, nonNull(value.deadline(), "MethodTraits.deadline is null"));
    }

    static MethodTraits readMethodTraits(WireReader in) {
        return new MethodTraits(
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                Values.readDuration(in));
    }

    static void writeServiceDescription(WireWriter out, ServiceDescription value) {
        out.writeString(nonNull(value.descriptor(), "ServiceDescription.descriptor is null"));
        writeListOfMethodTraits(out,
                nonNull(value.methods(), "ServiceDescription.methods is null"));
    }

    static ServiceDescription readServiceDescription(WireReader in) {
        return new ServiceDescription(in.readString(), readListOfMethodTraits(in));
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
}
