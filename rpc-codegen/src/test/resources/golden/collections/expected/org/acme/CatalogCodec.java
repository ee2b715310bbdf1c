package org.acme;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.RandomAccess;
import java.util.Set;
import java.util.UUID;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.Values;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Catalog} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class CatalogCodec {

    private static final Catalog.Color[] COLOR_VALUES = Catalog.Color.values();

    private CatalogCodec() {
    }

    static void writeArrays(WireWriter out, Catalog.Arrays value) {
        out.writeBooleans(nonNull(value.a(), "Arrays.a is null"));
        out.writeBytes(nonNull(value.b(), "Arrays.b is null"));
        out.writeShorts(nonNull(value.c(), "Arrays.c is null"));
        out.writeChars(nonNull(value.d(), "Arrays.d is null"));
        out.writeInts(nonNull(value.e(), "Arrays.e is null"));
        out.writeLongs(nonNull(value.f(), "Arrays.f is null"));
        out.writeFloats(nonNull(value.g(), "Arrays.g is null"));
        out.writeDoubles(nonNull(value.h(), "Arrays.h is null"));
    }

    static Catalog.Arrays readArrays(WireReader in) {
        return new Catalog.Arrays(
                in.readBooleans(),
                in.readBytes(),
                in.readShorts(),
                in.readChars(),
                in.readInts(),
                in.readLongs(),
                in.readFloats(),
                in.readDoubles());
    }

    static void writeBoxes(WireWriter out, Catalog.Boxes value) {
        writeNullableBoolean(out, value.a());
        writeNullableByte(out, value.b());
        writeNullableShort(out, value.c());
        writeNullableChar(out, value.d());
        writeNullableInt(out, value.e());
        writeNullableLong(out, value.f());
        writeNullableFloat(out, value.g());
        writeNullableDouble(out, value.h());
    }

    static Catalog.Boxes readBoxes(WireReader in) {
        return new Catalog.Boxes(
                readNullableBoolean(in),
                readNullableByte(in),
                readNullableShort(in),
                readNullableChar(in),
                readNullableInt(in),
                readNullableLong(in),
                readNullableFloat(in),
                readNullableDouble(in));
    }

    static void writeCollectionOfColor(WireWriter out, Collection<Catalog.Color> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Catalog.Color element : value) {
            out.writeEnum(nonNull(element, "element of Collection<Catalog.Color> is null"));
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException(
                    "Collection<Catalog.Color> changed while it was written");
        }
    }

    static Collection<Catalog.Color> readCollectionOfColor(WireReader in) {
        int count = in.readCount(2);
        Collection<Catalog.Color> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readColor(in));
        }
        return value;
    }

    static Catalog.Color readColor(WireReader in) {
        return in.readEnum(COLOR_VALUES);
    }

    static void writeColorArray(WireWriter out, Catalog.Color[] value) {
        out.writeCount(value.length);
        for (Catalog.Color element : value) {
            out.writeEnum(nonNull(element, "element of Catalog.Color[] is null"));
        }
    }

    static Catalog.Color[] readColorArray(WireReader in) {
        Catalog.Color[] value = new Catalog.Color[in.readCount(2)];
        for (int i = 0; i < value.length; i++) {
            value[i] = readColor(in);
        }
        return value;
    }

    static void writeEmpty(WireWriter out, Catalog.Empty value) {
        out.writeByte((byte) 0);
    }

    static Catalog.Empty readEmpty(WireReader in) {
        in.readByte();
        return new Catalog.Empty();
    }

    static void writeInner(WireWriter out, Catalog.Nested.Inner value) {
        writeOptionalOfString(out, nonNull(value.text(), "Inner.text is null"));
        writeOptionalInt(out, nonNull(value.number(), "Inner.number is null"));
        writeListOfNullableLong(out, nonNull(value.longs(), "Inner.longs is null"));
    }

    static Catalog.Nested.Inner readInner(WireReader in) {
        return new Catalog.Nested.Inner(
                readOptionalOfString(in),
                readOptionalInt(in),
                readListOfNullableLong(in));
    }

    static void writeListOfEmpty(WireWriter out, List<Catalog.Empty> value) {
        List<Catalog.Empty> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeEmpty(out, nonNull(list.get(i), "element of List<Catalog.Empty> is null"));
        }
    }

    static List<Catalog.Empty> readListOfEmpty(WireReader in) {
        int count = in.readCount(1);
        List<Catalog.Empty> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readEmpty(in));
        }
        return value;
    }

    static void writeListOfNullableLong(WireWriter out, List<Long> value) {
        List<Long> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeNullableLong(out, list.get(i));
        }
    }

    static List<Long> readListOfNullableLong(WireReader in) {
        int count = in.readCount(1);
        List<Long> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readNullableLong(in));
        }
        return value;
    }

    static void writeListOfNullableString(WireWriter out, List<String> value) {
        List<String> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeNullableString(out, list.get(i));
        }
    }

    static List<String> readListOfNullableString(WireReader in) {
        int count = in.readCount(1);
        List<String> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readNullableString(in));
        }
        return value;
    }

    static void writeListOfOptionalOfString(WireWriter out, List<Optional<String>> value) {
        List<Optional<String>> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeOptionalOfString(out,
                    nonNull(list.get(i), "element of List<Optional<String>> is null"));
        }
    }

    static List<Optional<String>> readListOfOptionalOfString(WireReader in) {
        int count = in.readCount(1);
        List<Optional<String>> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readOptionalOfString(in));
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

    static void writeListOfStringArray(WireWriter out, List<String>[] value) {
        out.writeCount(value.length);
        for (List<String> element : value) {
            writeListOfString(out, nonNull(element, "element of List<String>[] is null"));
        }
    }

    @SuppressWarnings("unchecked")
    static List<String>[] readListOfStringArray(WireReader in) {
        List<String>[] value = (List<String>[]) new List<?>[in.readCount(4)];
        for (int i = 0; i < value.length; i++) {
            value[i] = readListOfString(in);
        }
        return value;
    }

    static void writeListOfTree(WireWriter out, List<Catalog.Tree> value) {
        List<Catalog.Tree> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            writeTree(out, nonNull(list.get(i), "element of List<Catalog.Tree> is null"));
        }
    }

    static List<Catalog.Tree> readListOfTree(WireReader in) {
        int count = in.readCount(9);
        List<Catalog.Tree> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readTree(in));
        }
        return value;
    }

    static void writeLongArrayArray(WireWriter out, long[][] value) {
        out.writeCount(value.length);
        for (long[] element : value) {
            out.writeLongs(nonNull(element, "element of long[][] is null"));
        }
    }

    static long[][] readLongArrayArray(WireReader in) {
        long[][] value = new long[in.readCount(4)][];
        for (int i = 0; i < value.length; i++) {
            value[i] = in.readLongs();
        }
        return value;
    }

    static void writeMapOfColorToMapOfNullableIntToNested(WireWriter out,
            Map<Catalog.Color, Map<Integer, Catalog.Nested>> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Map.Entry<Catalog.Color, Map<Integer, Catalog.Nested>> entry : value.entrySet()) {
            out.writeEnum(
                    nonNull(entry.getKey(), "key of Map<Catalog.Color, Map<Integer, Catalog.Nested>> is null"));
            writeMapOfNullableIntToNested(out,
                    nonNull(entry.getValue(), "value of Map<Catalog.Color, Map<Integer, Catalog.Nested>> is null"));
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException(
                    "Map<Catalog.Color, Map<Integer, Catalog.Nested>> changed while it was written");
        }
    }

    static Map<Catalog.Color, Map<Integer, Catalog.Nested>> readMapOfColorToMapOfNullableIntToNested(
            WireReader in) {
        int count = in.readCount(6);
        Map<Catalog.Color, Map<Integer, Catalog.Nested>> value = new LinkedHashMap<>(count);
        for (int i = 0; i < count; i++) {
            value.put(readColor(in), readMapOfNullableIntToNested(in));
        }
        return value;
    }

    static void writeMapOfNullableIntToNested(WireWriter out, Map<Integer, Catalog.Nested> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Map.Entry<Integer, Catalog.Nested> entry : value.entrySet()) {
            writeNullableInt(out, entry.getKey());
            writeNested(out,
                    nonNull(entry.getValue(), "value of Map<Integer, Catalog.Nested> is null"));
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException(
                    "Map<Integer, Catalog.Nested> changed while it was written");
        }
    }

    static Map<Integer, Catalog.Nested> readMapOfNullableIntToNested(WireReader in) {
        int count = in.readCount(70);
        Map<Integer, Catalog.Nested> value = new LinkedHashMap<>(count);
        for (int i = 0; i < count; i++) {
            value.put(readNullableInt(in), readNested(in));
        }
        return value;
    }

    static void writeMapOfUUIDToListOfOptionalOfString(WireWriter out,
            Map<UUID, List<Optional<String>>> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Map.Entry<UUID, List<Optional<String>>> entry : value.entrySet()) {
            Values.writeUuid(out,
                    nonNull(entry.getKey(), "key of Map<UUID, List<Optional<String>>> is null"));
            writeListOfOptionalOfString(out,
                    nonNull(entry.getValue(), "value of Map<UUID, List<Optional<String>>> is null"));
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException(
                    "Map<UUID, List<Optional<String>>> changed while it was written");
        }
    }

    static Map<UUID, List<Optional<String>>> readMapOfUUIDToListOfOptionalOfString(WireReader in) {
        int count = in.readCount(20);
        Map<UUID, List<Optional<String>>> value = new LinkedHashMap<>(count);
        for (int i = 0; i < count; i++) {
            value.put(Values.readUuid(in), readListOfOptionalOfString(in));
        }
        return value;
    }

    static void writeNested(WireWriter out, Catalog.Nested value) {
        out.writeString(nonNull(value.name(), "Nested.name is null"));
        writeNullableString(out, value.alias());
        Values.writeDuration(out, nonNull(value.duration(), "Nested.duration is null"));
        Values.writeInstant(out, nonNull(value.instant(), "Nested.instant is null"));
        Values.writeBigDecimal(out, nonNull(value.decimal(), "Nested.decimal is null"));
        Values.writeBigInteger(out, nonNull(value.integer(), "Nested.integer is null"));
        Values.writeUuid(out, nonNull(value.uuid(), "Nested.uuid is null"));
        out.writeEnum(nonNull(value.color(), "Nested.color is null"));
        writeNullableColor(out, value.background());
        writeInner(out, nonNull(value.inner(), "Nested.inner is null"));
        writeNullableInner(out, value.maybe());
    }

    static Catalog.Nested readNested(WireReader in) {
        return new Catalog.Nested(
                in.readString(),
                readNullableString(in),
                Values.readDuration(in),
                Values.readInstant(in),
                Values.readBigDecimal(in),
                Values.readBigInteger(in),
                Values.readUuid(in),
                readColor(in),
                readNullableColor(in),
                readInner(in),
                readNullableInner(in));
    }

    static void writeNestedArray(WireWriter out, Catalog.Nested[] value) {
        out.writeCount(value.length);
        for (Catalog.Nested element : value) {
            writeNested(out, nonNull(element, "element of Catalog.Nested[] is null"));
        }
    }

    static Catalog.Nested[] readNestedArray(WireReader in) {
        Catalog.Nested[] value = new Catalog.Nested[in.readCount(69)];
        for (int i = 0; i < value.length; i++) {
            value[i] = readNested(in);
        }
        return value;
    }

    static void writeNullableBoolean(WireWriter out, Boolean value) {
        if (out.writePresence(value != null)) {
            out.writeBoolean(value);
        }
    }

    static Boolean readNullableBoolean(WireReader in) {
        return in.readPresence() ? in.readBoolean() : null;
    }

    static void writeNullableByte(WireWriter out, Byte value) {
        if (out.writePresence(value != null)) {
            out.writeByte(value);
        }
    }

    static Byte readNullableByte(WireReader in) {
        return in.readPresence() ? in.readByte() : null;
    }

    static void writeNullableByteBuffer(WireWriter out, ByteBuffer value) {
        if (out.writePresence(value != null)) {
            out.writeBuffer(value);
        }
    }

    static ByteBuffer readNullableByteBuffer(WireReader in) {
        return in.readPresence() ? in.readBuffer() : null;
    }

    static void writeNullableChar(WireWriter out, Character value) {
        if (out.writePresence(value != null)) {
            out.writeChar(value);
        }
    }

    static Character readNullableChar(WireReader in) {
        return in.readPresence() ? in.readChar() : null;
    }

    static void writeNullableColor(WireWriter out, Catalog.Color value) {
        if (out.writePresence(value != null)) {
            out.writeEnum(value);
        }
    }

    static Catalog.Color readNullableColor(WireReader in) {
        return in.readPresence() ? readColor(in) : null;
    }

    static void writeNullableColorArray(WireWriter out, Catalog.Color[] value) {
        if (out.writePresence(value != null)) {
            writeColorArray(out, value);
        }
    }

    static Catalog.Color[] readNullableColorArray(WireReader in) {
        return in.readPresence() ? readColorArray(in) : null;
    }

    static void writeNullableDouble(WireWriter out, Double value) {
        if (out.writePresence(value != null)) {
            out.writeDouble(value);
        }
    }

    static Double readNullableDouble(WireReader in) {
        return in.readPresence() ? in.readDouble() : null;
    }

    static void writeNullableFloat(WireWriter out, Float value) {
        if (out.writePresence(value != null)) {
            out.writeFloat(value);
        }
    }

    static Float readNullableFloat(WireReader in) {
        return in.readPresence() ? in.readFloat() : null;
    }

    static void writeNullableInner(WireWriter out, Catalog.Nested.Inner value) {
        if (out.writePresence(value != null)) {
            writeInner(out, value);
        }
    }

    static Catalog.Nested.Inner readNullableInner(WireReader in) {
        return in.readPresence() ? readInner(in) : null;
    }

    static void writeNullableInstant(WireWriter out, Instant value) {
        if (out.writePresence(value != null)) {
            Values.writeInstant(out, value);
        }
    }

    static Instant readNullableInstant(WireReader in) {
        return in.readPresence() ? Values.readInstant(in) : null;
    }

    static void writeNullableInt(WireWriter out, Integer value) {
        if (out.writePresence(value != null)) {
            out.writeInt(value);
        }
    }

    static Integer readNullableInt(WireReader in) {
        return in.readPresence() ? in.readInt() : null;
    }

    static void writeNullableLong(WireWriter out, Long value) {
        if (out.writePresence(value != null)) {
            out.writeLong(value);
        }
    }

    static Long readNullableLong(WireReader in) {
        return in.readPresence() ? in.readLong() : null;
    }

    static void writeNullableOptionalInt(WireWriter out, OptionalInt value) {
        if (out.writePresence(value != null)) {
            writeOptionalInt(out, value);
        }
    }

    static OptionalInt readNullableOptionalInt(WireReader in) {
        return in.readPresence() ? readOptionalInt(in) : null;
    }

    static void writeNullableShort(WireWriter out, Short value) {
        if (out.writePresence(value != null)) {
            out.writeShort(value);
        }
    }

    static Short readNullableShort(WireReader in) {
        return in.readPresence() ? in.readShort() : null;
    }

    static void writeNullableString(WireWriter out, String value) {
        if (out.writePresence(value != null)) {
            out.writeString(value);
        }
    }

    static String readNullableString(WireReader in) {
        return in.readPresence() ? in.readString() : null;
    }

    static void writeNullableTree(WireWriter out, Catalog.Tree value) {
        if (out.writePresence(value != null)) {
            writeTree(out, value);
        }
    }

    static Catalog.Tree readNullableTree(WireReader in) {
        return in.readPresence() ? readTree(in) : null;
    }

    static void writeOptionalDouble(WireWriter out, OptionalDouble value) {
        if (out.writePresence(value.isPresent())) {
            out.writeDouble(value.getAsDouble());
        }
    }

    static OptionalDouble readOptionalDouble(WireReader in) {
        return in.readPresence() ? OptionalDouble.of(in.readDouble()) : OptionalDouble.empty();
    }

    static void writeOptionalInt(WireWriter out, OptionalInt value) {
        if (out.writePresence(value.isPresent())) {
            out.writeInt(value.getAsInt());
        }
    }

    static OptionalInt readOptionalInt(WireReader in) {
        return in.readPresence() ? OptionalInt.of(in.readInt()) : OptionalInt.empty();
    }

    static void writeOptionalLong(WireWriter out, OptionalLong value) {
        if (out.writePresence(value.isPresent())) {
            out.writeLong(value.getAsLong());
        }
    }

    static OptionalLong readOptionalLong(WireReader in) {
        return in.readPresence() ? OptionalLong.of(in.readLong()) : OptionalLong.empty();
    }

    static void writeOptionalOfInteger(WireWriter out, Optional<Integer> value) {
        if (out.writePresence(value.isPresent())) {
            out.writeInt(value.get());
        }
    }

    static Optional<Integer> readOptionalOfInteger(WireReader in) {
        return in.readPresence() ? Optional.of(in.readInt()) : Optional.empty();
    }

    static void writeOptionalOfNested(WireWriter out, Optional<Catalog.Nested> value) {
        if (out.writePresence(value.isPresent())) {
            writeNested(out, value.get());
        }
    }

    static Optional<Catalog.Nested> readOptionalOfNested(WireReader in) {
        return in.readPresence() ? Optional.of(readNested(in)) : Optional.empty();
    }

    static void writeOptionalOfString(WireWriter out, Optional<String> value) {
        if (out.writePresence(value.isPresent())) {
            out.writeString(value.get());
        }
    }

    static Optional<String> readOptionalOfString(WireReader in) {
        return in.readPresence() ? Optional.of(in.readString()) : Optional.empty();
    }

    static void writePrimitives(WireWriter out, Catalog.Primitives value) {
        out.writeBoolean(value.a());
        out.writeByte(value.b());
        out.writeShort(value.c());
        out.writeChar(value.d());
        out.writeInt(value.e());
        out.writeLong(value.f());
        out.writeFloat(value.g());
        out.writeDouble(value.h());
    }

    static Catalog.Primitives readPrimitives(WireReader in) {
        return new Catalog.Primitives(
                in.readBoolean(),
                in.readByte(),
                in.readShort(),
                in.readChar(),
                in.readInt(),
                in.readLong(),
                in.readFloat(),
                in.readDouble());
    }

    static void writeSetOfColor(WireWriter out, Set<Catalog.Color> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Catalog.Color element : value) {
            out.writeEnum(nonNull(element, "element of Set<Catalog.Color> is null"));
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException(
                    "Set<Catalog.Color> changed while it was written");
        }
    }

    static Set<Catalog.Color> readSetOfColor(WireReader in) {
        int count = in.readCount(2);
        Set<Catalog.Color> value = new LinkedHashSet<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readColor(in));
        }
        return value;
    }

    static void writeSetOfNullableInstant(WireWriter out, Set<Instant> value) {
        int remaining = value.size();
        out.writeCount(remaining);
        for (Instant element : value) {
            writeNullableInstant(out, element);
            remaining--;
        }
        if (remaining != 0) {
            throw new ConcurrentModificationException("Set<Instant> changed while it was written");
        }
    }

    static Set<Instant> readSetOfNullableInstant(WireReader in) {
        int count = in.readCount(1);
        Set<Instant> value = new LinkedHashSet<>(count);
        for (int i = 0; i < count; i++) {
            value.add(readNullableInstant(in));
        }
        return value;
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

    static void writeStringArrayArray(WireWriter out, String[][] value) {
        out.writeCount(value.length);
        for (String[] element : value) {
            writeStringArray(out, nonNull(element, "element of String[][] is null"));
        }
    }

    static String[][] readStringArrayArray(WireReader in) {
        String[][] value = new String[in.readCount(4)][];
        for (int i = 0; i < value.length; i++) {
            value[i] = readStringArray(in);
        }
        return value;
    }

    static void writeTree(WireWriter out, Catalog.Tree value) {
        out.descend();
        out.writeInt(value.value());
        writeNullableTree(out, value.left());
        writeListOfTree(out, nonNull(value.right(), "Tree.right is null"));
        out.ascend();
    }

    static Catalog.Tree readTree(WireReader in) {
        in.descend();
        Catalog.Tree value = new Catalog.Tree(in.readInt(), readNullableTree(in), readListOfTree(in));
        in.ascend();
        return value;
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
