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
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Catalog}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
interface CatalogAsync {

    CompletableFuture<Catalog.Arrays> arrays(boolean[] a, byte[] b, short[] c, char[] d, int[] e,
            long[] f, float[] g, double[] h);

    void arrays(boolean[] a, byte[] b, short[] c, char[] d, int[] e, long[] f, float[] g,
            double[] h, RpcCallback<Catalog.Arrays> callback);

    CompletableFuture<String[][]> arraysOfArrays(long[][] longs, Catalog.Nested[] nested,
            List<String>[] lists);

    void arraysOfArrays(long[][] longs, Catalog.Nested[] nested, List<String>[] lists,
            RpcCallback<String[][]> callback);

    CompletableFuture<Catalog.Boxes> boxes(Boolean a, Byte b, Short c, Character d, Integer e,
            Long f, Float g, Double h);

    void boxes(Boolean a, Byte b, Short c, Character d, Integer e, Long f, Float g, Double h,
            RpcCallback<Catalog.Boxes> callback);

    CompletableFuture<ByteBuffer> buffers(ByteBuffer required, ByteBuffer optional);

    void buffers(ByteBuffer required, ByteBuffer optional, RpcCallback<ByteBuffer> callback);

    CompletableFuture<Set<Catalog.Color>> colors(Collection<Catalog.Color> colors,
            Catalog.Color[] more);

    void colors(Collection<Catalog.Color> colors, Catalog.Color[] more,
            RpcCallback<Set<Catalog.Color>> callback);

    CompletableFuture<Map<UUID, List<Optional<String>>>> maps(
            Map<Catalog.Color, Map<Integer, Catalog.Nested>> maps);

    void maps(Map<Catalog.Color, Map<Integer, Catalog.Nested>> maps,
            RpcCallback<Map<UUID, List<Optional<String>>>> callback);

    CompletableFuture<Catalog.Nested> nested(Catalog.Nested value);

    void nested(Catalog.Nested value, RpcCallback<Catalog.Nested> callback);

    CompletableFuture<Catalog.Empty> nothing(Catalog.Empty empty, List<Catalog.Empty> list);

    void nothing(Catalog.Empty empty, List<Catalog.Empty> list,
            RpcCallback<Catalog.Empty> callback);

    CompletableFuture<List<String>> nullableElements(Set<Instant> instants);

    void nullableElements(Set<Instant> instants, RpcCallback<List<String>> callback);

    CompletableFuture<Optional<Integer>> optionals(OptionalInt a, OptionalLong b, OptionalDouble c,
            Optional<Catalog.Nested> d, OptionalInt e);

    void optionals(OptionalInt a, OptionalLong b, OptionalDouble c, Optional<Catalog.Nested> d,
            OptionalInt e, RpcCallback<Optional<Integer>> callback);

    CompletableFuture<Catalog.Primitives> primitives(boolean a, byte b, short c, char d, int e,
            long f, float g, double h);

    void primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h,
            RpcCallback<Catalog.Primitives> callback);

    CompletableFuture<Catalog.Tree> tree(Catalog.Tree tree);

    void tree(Catalog.Tree tree, RpcCallback<Catalog.Tree> callback);
}
