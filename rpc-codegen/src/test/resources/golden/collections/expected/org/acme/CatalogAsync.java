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

/** {@link Catalog}, answered by futures. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
interface CatalogAsync {

    CompletableFuture<Catalog.Arrays> arrays(boolean[] a, byte[] b, short[] c, char[] d, int[] e,
            long[] f, float[] g, double[] h);

    CompletableFuture<String[][]> arraysOfArrays(long[][] longs, Catalog.Nested[] nested,
            List<String>[] lists);

    CompletableFuture<Catalog.Boxes> boxes(Boolean a, Byte b, Short c, Character d, Integer e,
            Long f, Float g, Double h);

    CompletableFuture<ByteBuffer> buffers(ByteBuffer required, ByteBuffer optional);

    CompletableFuture<Set<Catalog.Color>> colors(Collection<Catalog.Color> colors,
            Catalog.Color[] more);

    CompletableFuture<Map<UUID, List<Optional<String>>>> maps(
            Map<Catalog.Color, Map<Integer, Catalog.Nested>> maps);

    CompletableFuture<Catalog.Nested> nested(Catalog.Nested value);

    CompletableFuture<Catalog.Empty> nothing(Catalog.Empty empty, List<Catalog.Empty> list);

    CompletableFuture<List<String>> nullableElements(Set<Instant> instants);

    CompletableFuture<Optional<Integer>> optionals(OptionalInt a, OptionalLong b, OptionalDouble c,
            Optional<Catalog.Nested> d, OptionalInt e);

    CompletableFuture<Catalog.Primitives> primitives(boolean a, byte b, short c, char d, int e,
            long f, float g, double h);

    CompletableFuture<Catalog.Tree> tree(Catalog.Tree tree);
}
