package org.acme;

import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.RandomAccess;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.Values;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Shop} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ShopCodec {

    private static final Shop.Kind[] KIND_VALUES = Shop.Kind.values();

    private ShopCodec() {
    }

    static void writeBare(WireWriter out, Shop.Bare value) {
        int fields = out.fields(0);
        if (fields > 0) {
            out.writeBoolean(value.a());
        }
        if (fields > 1) {
            out.writeByte(value.b());
        }
        if (fields > 2) {
            out.writeShort(value.c());
        }
        if (fields > 3) {
            out.writeChar(value.d());
        }
        if (fields > 4) {
            out.writeFloat(value.e());
        }
        if (fields > 5) {
            out.writeDouble(value.f());
        }
        if (fields > 6) {
            out.writeLong(value.g());
        }
        if (fields == 0) {
            out.writeByte((byte) 0);
        }
    }

    static Shop.Bare readBare(WireReader in) {
        int before = in.remaining();
        int fields = in.fields(0);
        if (fields == 0) {
            in.readByte();
        }
        Shop.Bare value = new Shop.Bare(
                fields > 0 ? in.readBoolean() : false,
                fields > 1 ? in.readByte() : (byte) 0,
                fields > 2 ? in.readShort() : (short) 0,
                fields > 3 ? in.readChar() : (char) 0,
                fields > 4 ? in.readFloat() : 0F,
                fields > 5 ? in.readDouble() : 0D,
                fields > 6 ? in.readLong() : 0L);
        if (fields < 2) {
            in.claimHeap(48, before);
        }
        return value;
    }

    static void writeBoxOfString(WireWriter out, Shop.Box<String> value) {
        int fields = out.fields(1);
        out.writeString(nonNull(value.value(), "Box.value is null"));
        if (fields > 1) {
            writeNullableString(out, value.next());
        }
    }

    static Shop.Box<String> readBoxOfString(WireReader in) {
        int fields = in.fields(1);
        return new Shop.Box<>(in.readString(), fields > 1 ? readNullableString(in) : null);
    }

    static void writeItem(WireWriter out, Shop.Item value) {
        int fields = out.fields(2);
        out.writeLong(value.id());
        out.writeEnum(nonNull(value.kind(), "Item.kind is null"));
        if (fields > 2) {
            writeNullableString(out, value.note());
        }
        if (fields > 3) {
            out.writeInt(value.stock());
        }
        if (fields > 4) {
            writeOptionalOfString(out, nonNull(value.maker(), "Item.maker is null"));
        }
        if (fields > 5) {
            writeNullableKind(out, value.other());
        }
        if (fields > 6) {
            writeOptionalInt(out, nonNull(value.size(), "Item.size is null"));
        }
        if (fields > 7) {
            writeNullableListOfDuration(out, value.times());
        }
    }

    static Shop.Item readItem(WireReader in) {
        int fields = in.fields(2);
        return new Shop.Item(
                in.readLong(),
                readKind(in),
                fields > 2 ? readNullableString(in) : null,
                fields > 3 ? in.readInt() : 0,
                fields > 4 ? readOptionalOfString(in) : Optional.empty(),
                fields > 5 ? readNullableKind(in) : null,
                fields > 6 ? readOptionalInt(in) : OptionalInt.empty(),
                fields > 7 ? readNullableListOfDuration(in) : null);
    }

    static Shop.Kind readKind(WireReader in) {
        return in.readEnum(KIND_VALUES, Shop.Kind.OTHER);
    }

    static void writeListOfDuration(WireWriter out, List<Duration> value) {
        List<Duration> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            Values.writeDuration(out, nonNull(list.get(i), "element of List<Duration> is null"));
        }
    }

    static List<Duration> readListOfDuration(WireReader in) {
        int count = in.readCount(12);
        List<Duration> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(Values.readDuration(in));
        }
        return value;
    }

    static void writeListOfItem(WireWriter out, List<Shop.Item> value) {
        List<Shop.Item> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeItem(out, nonNull(list.get(i), "element of List<Shop.Item> is null"));
        }
    }

    static List<Shop.Item> readListOfItem(WireReader in) {
        int count = in.readCount(10);
        List<Shop.Item> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readItem(in));
        }
        return value;
    }

    static void writeListOfTree(WireWriter out, List<Shop.Tree> value) {
        List<Shop.Tree> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeTree(out, nonNull(list.get(i), "element of List<Shop.Tree> is null"));
        }
    }

    static List<Shop.Tree> readListOfTree(WireReader in) {
        int count = in.readCount(4);
        List<Shop.Tree> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readTree(in));
        }
        return value;
    }

    static void writeMapOfStringToItem(WireWriter out, Map<String, Shop.Item> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Map.Entry<String, Shop.Item> entry : value.entrySet()) {
            out.writeString(nonNull(entry.getKey(), "key of Map<String, Shop.Item> is null"));
            writeItem(out, nonNull(entry.getValue(), "value of Map<String, Shop.Item> is null"));
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException(
                    "Map<String, Shop.Item> changed while it was written");
        }
    }

    static Map<String, Shop.Item> readMapOfStringToItem(WireReader in) {
        int count = in.readCount(14);
        Map<String, Shop.Item> value = new LinkedHashMap<>(count);
        for (int i = 0; i < count; i++) {
            value.put(in.readString(), readItem(in));
        }
        return value;
    }

    static void writeNullableDuration(WireWriter out, Duration value) {
        if (out.writePresence(value != null)) {
            Values.writeDuration(out, value);
        }
    }

    static Duration readNullableDuration(WireReader in) {
        return in.readPresence() ? Values.readDuration(in) : null;
    }

    static void writeNullableKind(WireWriter out, Shop.Kind value) {
        if (out.writePresence(value != null)) {
            out.writeEnum(value);
        }
    }

    static Shop.Kind readNullableKind(WireReader in) {
        return in.readPresence() ? readKind(in) : null;
    }

    static void writeNullableListOfDuration(WireWriter out, List<Duration> value) {
        if (out.writePresence(value != null)) {
            writeListOfDuration(out, value);
        }
    }

    static List<Duration> readNullableListOfDuration(WireReader in) {
        return in.readPresence() ? readListOfDuration(in) : null;
    }

    static void writeNullableListOfTree(WireWriter out, List<Shop.Tree> value) {
        if (out.writePresence(value != null)) {
            writeListOfTree(out, value);
        }
    }

    static List<Shop.Tree> readNullableListOfTree(WireReader in) {
        return in.readPresence() ? readListOfTree(in) : null;
    }

    static void writeNullableString(WireWriter out, String value) {
        if (out.writePresence(value != null)) {
            out.writeString(value);
        }
    }

    static String readNullableString(WireReader in) {
        return in.readPresence() ? in.readString() : null;
    }

    static void writeNullableTree(WireWriter out, Shop.Tree value) {
        if (out.writePresence(value != null)) {
            writeTree(out, value);
        }
    }

    static Shop.Tree readNullableTree(WireReader in) {
        return in.readPresence() ? readTree(in) : null;
    }

    static void writeOptionalInt(WireWriter out, OptionalInt value) {
        if (out.writePresence(value.isPresent())) {
            out.writeInt(value.getAsInt());
        }
    }

    static OptionalInt readOptionalInt(WireReader in) {
        return in.readPresence() ? OptionalInt.of(in.readInt()) : OptionalInt.empty();
    }

    static void writeOptionalOfString(WireWriter out, Optional<String> value) {
        if (out.writePresence(value.isPresent())) {
            out.writeString(value.get());
        }
    }

    static Optional<String> readOptionalOfString(WireReader in) {
        return in.readPresence() ? Optional.of(in.readString()) : Optional.empty();
    }

    static void writeTree(WireWriter out, Shop.Tree value) {
        out.descend();
        int fields = out.fields(4);
        out.writeString(nonNull(value.name(), "Tree.name is null"));
        if (fields > 1) {
            writeNullableTree(out, value.left());
        }
        if (fields > 2) {
            writeNullableListOfTree(out, value.others());
        }
        out.ascend();
    }

    static Shop.Tree readTree(WireReader in) {
        int fields = in.fields(4);
        in.descend();
        Shop.Tree value = new Shop.Tree(
                in.readString(),
                fields > 1 ? readNullableTree(in) : null,
                fields > 2 ? readNullableListOfTree(in) : null);
        in.ascend();
        return value;
    }

    static void writeSoldOut(WireWriter out, Shop.SoldOut value) {
        int fields = out.fields(3);
        out.writeLong(value.id());
        if (fields > 1) {
            writeNullableDuration(out, value.getWait());
        }
    }

    static Shop.SoldOut readSoldOut(WireReader in) {
        int fields = in.fields(3);
        return new Shop.SoldOut(in.readLong(), fields > 1 ? readNullableDuration(in) : null);
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
