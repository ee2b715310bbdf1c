package org.acme;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Catalog} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class CatalogSkeleton implements Skeleton {

    private final Catalog implementation;

    CatalogSkeleton(Catalog implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> arrays(call);
            case 1 -> arraysOfArrays(call);
            case 2 -> boxes(call);
            case 3 -> buffers(call);
            case 4 -> colors(call);
            case 5 -> maps(call);
            case 6 -> nested(call);
            case 7 -> nothing(call);
            case 8 -> nullableElements(call);
            case 9 -> optionals(call);
            case 10 -> primitives(call);
            case 11 -> tree(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Catalog has no method index=" + index);
        }
    }

    private void arrays(ServerCall call) {
        WireReader in = call.arguments();
        boolean[] a = in.readBooleans();
        byte[] b = in.readBytes();
        short[] c = in.readShorts();
        char[] d = in.readChars();
        int[] e_ = in.readInts();
        long[] f = in.readLongs();
        float[] g = in.readFloats();
        double[] h = in.readDoubles();
        Catalog.Arrays result = implementation.arrays(a, b, c, d, e_, f, g, h);
        CatalogCodec.writeArrays(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/arrays returned null"));
    }

    private void arraysOfArrays(ServerCall call) {
        WireReader in = call.arguments();
        long[][] longs = CatalogCodec.readLongArrayArray(in);
        Catalog.Nested[] nested = CatalogCodec.readNestedArray(in);
        List<String>[] lists = CatalogCodec.readListOfStringArray(in);
        String[][] result = implementation.arraysOfArrays(longs, nested, lists);
        CatalogCodec.writeStringArrayArray(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/arraysOfArrays returned null"));
    }

    private void boxes(ServerCall call) {
        WireReader in = call.arguments();
        Boolean a = CatalogCodec.readNullableBoolean(in);
        Byte b = CatalogCodec.readNullableByte(in);
        Short c = CatalogCodec.readNullableShort(in);
        Character d = CatalogCodec.readNullableChar(in);
        Integer e_ = CatalogCodec.readNullableInt(in);
        Long f = CatalogCodec.readNullableLong(in);
        Float g = CatalogCodec.readNullableFloat(in);
        Double h = CatalogCodec.readNullableDouble(in);
        Catalog.Boxes result = implementation.boxes(a, b, c, d, e_, f, g, h);
        CatalogCodec.writeBoxes(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/boxes returned null"));
    }

    private void buffers(ServerCall call) {
        WireReader in = call.arguments();
        ByteBuffer required = in.readBuffer();
        ByteBuffer optional = CatalogCodec.readNullableByteBuffer(in);
        ByteBuffer result = implementation.buffers(required, optional);
        CatalogCodec.writeNullableByteBuffer(call.result(), result);
    }

    private void colors(ServerCall call) {
        WireReader in = call.arguments();
        Collection<Catalog.Color> colors = CatalogCodec.readCollectionOfColor(in);
        Catalog.Color[] more = CatalogCodec.readNullableColorArray(in);
        Set<Catalog.Color> result = implementation.colors(colors, more);
        CatalogCodec.writeSetOfColor(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/colors returned null"));
    }

    private void maps(ServerCall call) {
        WireReader in = call.arguments();
        Map<Catalog.Color, Map<Integer, Catalog.Nested>> maps =
                CatalogCodec.readMapOfColorToMapOfNullableIntToNested(in);
        Map<UUID, List<Optional<String>>> result = implementation.maps(maps);
        CatalogCodec.writeMapOfUUIDToListOfOptionalOfString(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/maps returned null"));
    }

    private void nested(ServerCall call) {
        WireReader in = call.arguments();
        Catalog.Nested value = CatalogCodec.readNested(in);
        Catalog.Nested result = implementation.nested(value);
        CatalogCodec.writeNested(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/nested returned null"));
    }

    private void nothing(ServerCall call) {
        WireReader in = call.arguments();
        Catalog.Empty empty = CatalogCodec.readEmpty(in);
        List<Catalog.Empty> list = CatalogCodec.readListOfEmpty(in);
        Catalog.Empty result = implementation.nothing(empty, list);
        CatalogCodec.writeEmpty(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/nothing returned null"));
    }

    private void nullableElements(ServerCall call) {
        WireReader in = call.arguments();
        Set<Instant> instants = CatalogCodec.readSetOfNullableInstant(in);
        List<String> result = implementation.nullableElements(instants);
        CatalogCodec.writeListOfNullableString(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/nullableElements returned null"));
    }

    private void optionals(ServerCall call) {
        WireReader in = call.arguments();
        OptionalInt a = CatalogCodec.readOptionalInt(in);
        OptionalLong b = CatalogCodec.readOptionalLong(in);
        OptionalDouble c = CatalogCodec.readOptionalDouble(in);
        Optional<Catalog.Nested> d = CatalogCodec.readOptionalOfNested(in);
        OptionalInt e_ = CatalogCodec.readNullableOptionalInt(in);
        Optional<Integer> result = implementation.optionals(a, b, c, d, e_);
        CatalogCodec.writeOptionalOfInteger(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/optionals returned null"));
    }

    private void primitives(ServerCall call) {
        WireReader in = call.arguments();
        boolean a = in.readBoolean();
        byte b = in.readByte();
        short c = in.readShort();
        char d = in.readChar();
        int e_ = in.readInt();
        long f = in.readLong();
        float g = in.readFloat();
        double h = in.readDouble();
        Catalog.Primitives result = implementation.primitives(a, b, c, d, e_, f, g, h);
        CatalogCodec.writePrimitives(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/primitives returned null"));
    }

    private void tree(ServerCall call) {
        WireReader in = call.arguments();
        Catalog.Tree tree = CatalogCodec.readNullableTree(in);
        Catalog.Tree result = implementation.tree(tree);
        CatalogCodec.writeTree(call.result(),
                CatalogCodec.returned(result, "org.acme.Catalog/tree returned null"));
    }
}
