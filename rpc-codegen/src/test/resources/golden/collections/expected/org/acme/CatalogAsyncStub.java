package org.acme;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Catalog} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class CatalogAsyncStub implements CatalogAsync {

    static final ResultReader<Catalog.Arrays> ARRAYS = (in, thrown) -> CatalogCodec.readArrays(in);
    static final ResultReader<String[][]> ARRAYS_OF_ARRAYS = (in, thrown) -> CatalogCodec.readStringArrayArray(in);
    static final ResultReader<Catalog.Boxes> BOXES = (in, thrown) -> CatalogCodec.readBoxes(in);
    static final ResultReader<ByteBuffer> BUFFERS = (in, thrown) -> CatalogCodec.readNullableByteBuffer(in);
    static final ResultReader<Set<Catalog.Color>> COLORS = (in, thrown) -> CatalogCodec.readSetOfColor(in);
    static final ResultReader<Map<UUID, List<Optional<String>>>> MAPS = (in, thrown) ->
            CatalogCodec.readMapOfUUIDToListOfOptionalOfString(in);
    static final ResultReader<Catalog.Nested> NESTED = (in, thrown) -> CatalogCodec.readNested(in);
    static final ResultReader<Catalog.Empty> NOTHING = (in, thrown) -> CatalogCodec.readEmpty(in);
    static final ResultReader<List<String>> NULLABLE_ELEMENTS = (in, thrown) ->
            CatalogCodec.readListOfNullableString(in);
    static final ResultReader<Optional<Integer>> OPTIONALS = (in, thrown) -> CatalogCodec.readOptionalOfInteger(in);
    static final ResultReader<Catalog.Primitives> PRIMITIVES = (in, thrown) -> CatalogCodec.readPrimitives(in);
    static final ResultReader<Catalog.Tree> TREE = (in, thrown) -> CatalogCodec.readTree(in);

    private final RpcChannel channel;

    CatalogAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Catalog.Arrays> arrays(boolean[] a, byte[] b, short[] c, char[] d,
            int[] e, long[] f, float[] g, double[] h) {
        return beginArrays(a, b, c, d, e, f, g, h).invokeAsync(ARRAYS);
    }

    @Override
    public void arrays(boolean[] a, byte[] b, short[] c, char[] d, int[] e, long[] f, float[] g,
            double[] h, RpcCallback<Catalog.Arrays> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/arrays");
        beginArrays(a, b, c, d, e, f, g, h).invokeCallback(ARRAYS, callback);
    }

    @Override
    public CompletableFuture<String[][]> arraysOfArrays(long[][] longs, Catalog.Nested[] nested,
            List<String>[] lists) {
        return beginArraysOfArrays(longs, nested, lists).invokeAsync(ARRAYS_OF_ARRAYS);
    }

    @Override
    public void arraysOfArrays(long[][] longs, Catalog.Nested[] nested, List<String>[] lists,
            RpcCallback<String[][]> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/arraysOfArrays");
        beginArraysOfArrays(longs, nested, lists).invokeCallback(ARRAYS_OF_ARRAYS, callback);
    }

    @Override
    public CompletableFuture<Catalog.Boxes> boxes(Boolean a, Byte b, Short c, Character d,
            Integer e, Long f, Float g, Double h) {
        return beginBoxes(a, b, c, d, e, f, g, h).invokeAsync(BOXES);
    }

    @Override
    public void boxes(Boolean a, Byte b, Short c, Character d, Integer e, Long f, Float g, Double h,
            RpcCallback<Catalog.Boxes> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/boxes");
        beginBoxes(a, b, c, d, e, f, g, h).invokeCallback(BOXES, callback);
    }

    @Override
    public CompletableFuture<ByteBuffer> buffers(ByteBuffer required, ByteBuffer optional) {
        return beginBuffers(required, optional).invokeAsync(BUFFERS);
    }

    @Override
    public void buffers(ByteBuffer required, ByteBuffer optional,
            RpcCallback<ByteBuffer> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/buffers");
        beginBuffers(required, optional).invokeCallback(BUFFERS, callback);
    }

    @Override
    public CompletableFuture<Set<Catalog.Color>> colors(Collection<Catalog.Color> colors,
            Catalog.Color[] more) {
        return beginColors(colors, more).invokeAsync(COLORS);
    }

    @Override
    public void colors(Collection<Catalog.Color> colors, Catalog.Color[] more,
            RpcCallback<Set<Catalog.Color>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/colors");
        beginColors(colors, more).invokeCallback(COLORS, callback);
    }

    @Override
    public CompletableFuture<Map<UUID, List<Optional<String>>>> maps(
            Map<Catalog.Color, Map<Integer, Catalog.Nested>> maps) {
        return beginMaps(maps).invokeAsync(MAPS);
    }

    @Override
    public void maps(Map<Catalog.Color, Map<Integer, Catalog.Nested>> maps,
            RpcCallback<Map<UUID, List<Optional<String>>>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/maps");
        beginMaps(maps).invokeCallback(MAPS, callback);
    }

    @Override
    public CompletableFuture<Catalog.Nested> nested(Catalog.Nested value) {
        return beginNested(value).invokeAsync(NESTED);
    }

    @Override
    public void nested(Catalog.Nested value, RpcCallback<Catalog.Nested> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/nested");
        beginNested(value).invokeCallback(NESTED, callback);
    }

    @Override
    public CompletableFuture<Catalog.Empty> nothing(Catalog.Empty empty, List<Catalog.Empty> list) {
        return beginNothing(empty, list).invokeAsync(NOTHING);
    }

    @Override
    public void nothing(Catalog.Empty empty, List<Catalog.Empty> list,
            RpcCallback<Catalog.Empty> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/nothing");
        beginNothing(empty, list).invokeCallback(NOTHING, callback);
    }

    @Override
    public CompletableFuture<List<String>> nullableElements(Set<Instant> instants) {
        return beginNullableElements(instants).invokeAsync(NULLABLE_ELEMENTS);
    }

    @Override
    public void nullableElements(Set<Instant> instants, RpcCallback<List<String>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/nullableElements");
        beginNullableElements(instants).invokeCallback(NULLABLE_ELEMENTS, callback);
    }

    @Override
    public CompletableFuture<Optional<Integer>> optionals(OptionalInt a, OptionalLong b,
            OptionalDouble c, Optional<Catalog.Nested> d, OptionalInt e) {
        return beginOptionals(a, b, c, d, e).invokeAsync(OPTIONALS);
    }

    @Override
    public void optionals(OptionalInt a, OptionalLong b, OptionalDouble c,
            Optional<Catalog.Nested> d, OptionalInt e, RpcCallback<Optional<Integer>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/optionals");
        beginOptionals(a, b, c, d, e).invokeCallback(OPTIONALS, callback);
    }

    @Override
    public CompletableFuture<Catalog.Primitives> primitives(boolean a, byte b, short c, char d,
            int e, long f, float g, double h) {
        return beginPrimitives(a, b, c, d, e, f, g, h).invokeAsync(PRIMITIVES);
    }

    @Override
    public void primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h,
            RpcCallback<Catalog.Primitives> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/primitives");
        beginPrimitives(a, b, c, d, e, f, g, h).invokeCallback(PRIMITIVES, callback);
    }

    @Override
    public CompletableFuture<Catalog.Tree> tree(Catalog.Tree tree) {
        return beginTree(tree).invokeAsync(TREE);
    }

    @Override
    public void tree(Catalog.Tree tree, RpcCallback<Catalog.Tree> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Catalog/tree");
        beginTree(tree).invokeCallback(TREE, callback);
    }

    private ClientCall beginArrays(boolean[] a, byte[] b, short[] c, char[] d, int[] e, long[] f,
            float[] g, double[] h) {
        ClientCall call = channel.begin(CatalogService.ARRAYS);
        try {
            WireWriter out = call.arguments();
            out.writeBooleans(CatalogCodec.nonNull(a, "a is null: org.acme.Catalog/arrays"));
            out.writeBytes(CatalogCodec.nonNull(b, "b is null: org.acme.Catalog/arrays"));
            out.writeShorts(CatalogCodec.nonNull(c, "c is null: org.acme.Catalog/arrays"));
            out.writeChars(CatalogCodec.nonNull(d, "d is null: org.acme.Catalog/arrays"));
            out.writeInts(CatalogCodec.nonNull(e, "e is null: org.acme.Catalog/arrays"));
            out.writeLongs(CatalogCodec.nonNull(f, "f is null: org.acme.Catalog/arrays"));
            out.writeFloats(CatalogCodec.nonNull(g, "g is null: org.acme.Catalog/arrays"));
            out.writeDoubles(CatalogCodec.nonNull(h, "h is null: org.acme.Catalog/arrays"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginArraysOfArrays(long[][] longs, Catalog.Nested[] nested,
            List<String>[] lists) {
        ClientCall call = channel.begin(CatalogService.ARRAYS_OF_ARRAYS);
        try {
            WireWriter out = call.arguments();
            CatalogCodec.writeLongArrayArray(out,
                    CatalogCodec.nonNull(longs, "longs is null: org.acme.Catalog/arraysOfArrays"));
            CatalogCodec.writeNestedArray(out,
                    CatalogCodec.nonNull(nested, "nested is null: org.acme.Catalog/arraysOfArrays"));
            CatalogCodec.writeListOfStringArray(out,
                    CatalogCodec.nonNull(lists, "lists is null: org.acme.Catalog/arraysOfArrays"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginBoxes(Boolean a, Byte b, Short c, Character d, Integer e, Long f,
            Float g, Double h) {
        ClientCall call = channel.begin(CatalogService.BOXES);
        try {
            WireWriter out = call.arguments();
            CatalogCodec.writeNullableBoolean(out, a);
            CatalogCodec.writeNullableByte(out, b);
            CatalogCodec.writeNullableShort(out, c);
            CatalogCodec.writeNullableChar(out, d);
            CatalogCodec.writeNullableInt(out, e);
            CatalogCodec.writeNullableLong(out, f);
            CatalogCodec.writeNullableFloat(out, g);
            CatalogCodec.writeNullableDouble(out, h);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginBuffers(ByteBuffer required, ByteBuffer optional) {
        ClientCall call = channel.begin(CatalogService.BUFFERS);
        try {
            WireWriter out = call.arguments();
            out.writeBuffer(
                    CatalogCodec.nonNull(required, "required is null: org.acme.Catalog/buffers"));
            CatalogCodec.writeNullableByteBuffer(out, optional);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginColors(Collection<Catalog.Color> colors, Catalog.Color[] more) {
        ClientCall call = channel.begin(CatalogService.COLORS);
        try {
            WireWriter out = call.arguments();
            CatalogCodec.writeCollectionOfColor(out,
                    CatalogCodec.nonNull(colors, "colors is null: org.acme.Catalog/colors"));
            CatalogCodec.writeNullableColorArray(out, more);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginMaps(Map<Catalog.Color, Map<Integer, Catalog.Nested>> maps) {
        ClientCall call = channel.begin(CatalogService.MAPS);
        try {
            CatalogCodec.writeMapOfColorToMapOfNullableIntToNested(call.arguments(),
                    CatalogCodec.nonNull(maps, "maps is null: org.acme.Catalog/maps"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginNested(Catalog.Nested value) {
        ClientCall call = channel.begin(CatalogService.NESTED);
        try {
            CatalogCodec.writeNested(call.arguments(),
                    CatalogCodec.nonNull(value, "value is null: org.acme.Catalog/nested"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginNothing(Catalog.Empty empty, List<Catalog.Empty> list) {
        ClientCall call = channel.begin(CatalogService.NOTHING);
        try {
            WireWriter out = call.arguments();
            CatalogCodec.writeEmpty(out,
                    CatalogCodec.nonNull(empty, "empty is null: org.acme.Catalog/nothing"));
            CatalogCodec.writeListOfEmpty(out,
                    CatalogCodec.nonNull(list, "list is null: org.acme.Catalog/nothing"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginNullableElements(Set<Instant> instants) {
        ClientCall call = channel.begin(CatalogService.NULLABLE_ELEMENTS);
        try {
            CatalogCodec.writeSetOfNullableInstant(call.arguments(),
                    CatalogCodec.nonNull(instants, "instants is null: org.acme.Catalog/nullableElements"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginOptionals(OptionalInt a, OptionalLong b, OptionalDouble c,
            Optional<Catalog.Nested> d, OptionalInt e) {
        ClientCall call = channel.begin(CatalogService.OPTIONALS);
        try {
            WireWriter out = call.arguments();
            CatalogCodec.writeOptionalInt(out,
                    CatalogCodec.nonNull(a, "a is null: org.acme.Catalog/optionals"));
            CatalogCodec.writeOptionalLong(out,
                    CatalogCodec.nonNull(b, "b is null: org.acme.Catalog/optionals"));
            CatalogCodec.writeOptionalDouble(out,
                    CatalogCodec.nonNull(c, "c is null: org.acme.Catalog/optionals"));
            CatalogCodec.writeOptionalOfNested(out,
                    CatalogCodec.nonNull(d, "d is null: org.acme.Catalog/optionals"));
            CatalogCodec.writeNullableOptionalInt(out, e);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginPrimitives(boolean a, byte b, short c, char d, int e, long f, float g,
            double h) {
        ClientCall call = channel.begin(CatalogService.PRIMITIVES);
        try {
            WireWriter out = call.arguments();
            out.writeBoolean(a);
            out.writeByte(b);
            out.writeShort(c);
            out.writeChar(d);
            out.writeInt(e);
            out.writeLong(f);
            out.writeFloat(g);
            out.writeDouble(h);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginTree(Catalog.Tree tree) {
        ClientCall call = channel.begin(CatalogService.TREE);
        try {
            CatalogCodec.writeNullableTree(call.arguments(), tree);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
