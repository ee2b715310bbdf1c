package org.jvrpc.api.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Admin} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class AdminCodec {

    private AdminCodec() {
    }

    static void writeListOfSessionInfo(WireWriter out, List<SessionInfo> value) {
        List<SessionInfo> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeSessionInfo(out, nonNull(list.get(i), "element of List<SessionInfo> is null"));
        }
    }

    static List<SessionInfo> readListOfSessionInfo(WireReader in) {
        int count = in.readCount(14);
        List<SessionInfo> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readSessionInfo(in));
        }
        return value;
    }

    static void writeListOfSetting(WireWriter out, List<Setting> value) {
        List<Setting> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeSetting(out, nonNull(list.get(i), "element of List<Setting> is null"));
        }
    }

    static List<Setting> readListOfSetting(WireReader in) {
        int count = in.readCount(8);
        List<Setting> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readSetting(in));
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

    static void writeSessionInfo(WireWriter out, SessionInfo value) {
        out.writeLong(value.id());
        writeNullableString(out, value.peer());
        writeNullableString(out, value.principal());
        out.writeInt(value.openCalls());
    }

    static SessionInfo readSessionInfo(WireReader in) {
        return new SessionInfo(
                in.readLong(),
                readNullableString(in),
                readNullableString(in),
                in.readInt());
    }

    static void writeSetting(WireWriter out, Setting value) {
        out.writeString(nonNull(value.name(), "Setting.name is null"));
        out.writeString(nonNull(value.value(), "Setting.value is null"));
    }

    static Setting readSetting(WireReader in) {
        return new Setting(in.readString(), in.readString());
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
