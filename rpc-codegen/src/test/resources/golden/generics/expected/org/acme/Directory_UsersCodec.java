package org.acme;

import java.util.ArrayList;
import java.util.Collection;
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

/** Layouts of what {@link Directory.Users} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class Directory_UsersCodec {

    private static final Directory.CharSequenceLike[] CHAR_SEQUENCE_LIKE_VALUES = Directory.CharSequenceLike.values();

    private Directory_UsersCodec() {
    }

    static Directory.CharSequenceLike readCharSequenceLike(WireReader in) {
        return in.readEnum(CHAR_SEQUENCE_LIKE_VALUES);
    }

    static void writeCollectionOfCharSequenceLike(WireWriter out,
            Collection<Directory.CharSequenceLike> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Directory.CharSequenceLike element : value) {
            out.writeEnum(
                    nonNull(element, "element of Collection<Directory.CharSequenceLike> is null"));
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException(
                    "Collection<Directory.CharSequenceLike> changed while it was written");
        }
    }

    static Collection<Directory.CharSequenceLike> readCollectionOfCharSequenceLike(WireReader in) {
        int count = in.readCount(2);
        Collection<Directory.CharSequenceLike> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readCharSequenceLike(in));
        }
        return value;
    }

    static void writeListOfAnyUser(WireWriter out, List<? extends Directory.User> value) {
        List<? extends Directory.User> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeUser(out,
                    nonNull(list.get(i), "element of List<? extends Directory.User> is null"));
        }
    }

    static List<? extends Directory.User> readListOfAnyUser(WireReader in) {
        int count = in.readCount(12);
        List<Directory.User> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readUser(in));
        }
        return value;
    }

    static void writeListOfUser(WireWriter out, List<Directory.User> value) {
        List<Directory.User> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeUser(out, nonNull(list.get(i), "element of List<Directory.User> is null"));
        }
    }

    static List<Directory.User> readListOfUser(WireReader in) {
        int count = in.readCount(12);
        List<Directory.User> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readUser(in));
        }
        return value;
    }

    static void writeMapOfAnyStringToListOfAnyUser(WireWriter out,
            Map<String, ? extends List<? extends Directory.User>> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Map.Entry<String, ? extends List<? extends Directory.User>> entry : value.entrySet()) {
            out.writeString(
                    nonNull(entry.getKey(), "key of Map<String, ? extends List<? extends Directory.User>> is null"));
            writeListOfAnyUser(out,
                    nonNull(entry.getValue(), "value of Map<String, ? extends List<? extends Directory.User>> is null"));
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException(
                    "Map<String, ? extends List<? extends Directory.User>> changed while it was written");
        }
    }

    static Map<String, ? extends List<? extends Directory.User>> readMapOfAnyStringToListOfAnyUser(
            WireReader in) {
        int count = in.readCount(8);
        Map<String, List<? extends Directory.User>> value = new LinkedHashMap<>(count);
        for (int i = 0; i < count; i++) {
            value.put(in.readString(), readListOfAnyUser(in));
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

    static void writeNullableUser(WireWriter out, Directory.User value) {
        if (out.writePresence(value != null)) {
            writeUser(out, value);
        }
    }

    static Directory.User readNullableUser(WireReader in) {
        return in.readPresence() ? readUser(in) : null;
    }

    static void writePageOfUser(WireWriter out, Page<Directory.User> value) {
        out.writeInt(value.number());
        writeListOfUser(out, nonNull(value.items(), "Page.items is null"));
        writeUser(out, nonNull(value.first(), "Page.first is null"));
    }

    static Page<Directory.User> readPageOfUser(WireReader in) {
        return new Page<>(in.readInt(), readListOfUser(in), readUser(in));
    }

    static void writeStringArray(WireWriter out, String[] value) {
        out.writeCount(value.length);
        for (String element : value) {
            out.writeString(nonNull(element, "element of String[] is null"));
        }
    }

    static String[] readStringArray(WireReader in) {
        String[] value = new String[in.readCount(4)];
        for (int i = 0; i < value.length; i++) {
            value[i] = in.readString();
        }
        return value;
    }

    static void writeUser(WireWriter out, Directory.User value) {
        out.writeLong(value.id());
        out.writeString(nonNull(value.name(), "User.name is null"));
    }

    static Directory.User readUser(WireReader in) {
        return new Directory.User(in.readLong(), in.readString());
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

    static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
