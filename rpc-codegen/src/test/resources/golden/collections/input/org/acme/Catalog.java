package org.acme;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
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
import org.jvrpc.api.Nullable;
import org.jvrpc.api.RpcService;

/** Every fixed layout. */
@RpcService
interface Catalog {

    Primitives primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h);

    Boxes boxes(Boolean a, Byte b, Short c, Character d, Integer e, Long f, Float g, Double h);

    Arrays arrays(boolean[] a, byte[] b, short[] c, char[] d, int[] e, long[] f, float[] g, double[] h);

    Nested nested(Nested value);

    Tree tree(@Nullable Tree tree);

    Set<Color> colors(Collection<Color> colors, Color @Nullable [] more);

    Map<UUID, List<Optional<String>>> maps(Map<Color, Map<Integer, Nested>> maps);

    List<@Nullable String> nullableElements(Set<@Nullable Instant> instants);

    String[][] arraysOfArrays(long[][] longs, Nested[] nested, List<String>[] lists);

    @Nullable
    ByteBuffer buffers(ByteBuffer required, @Nullable ByteBuffer optional);

    Optional<Integer> optionals(OptionalInt a, OptionalLong b, OptionalDouble c, Optional<Nested> d, @Nullable OptionalInt e);

    Empty nothing(Empty empty, List<Empty> list);

    enum Color { RED, GREEN, BLUE }

    record Primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h) {
    }

    record Boxes(Boolean a, Byte b, Short c, Character d, Integer e, Long f, Float g, Double h) {
    }

    record Arrays(boolean[] a, byte[] b, short[] c, char[] d, int[] e, long[] f, float[] g, double[] h) {
    }

    record Nested(
            String name,
            @Nullable String alias,
            Duration duration,
            Instant instant,
            BigDecimal decimal,
            BigInteger integer,
            UUID uuid,
            Color color,
            @Nullable Color background,
            Inner inner,
            @Nullable Inner maybe) {

        record Inner(Optional<String> text, OptionalInt number, List<Long> longs) {
        }
    }

    record Tree(int value, @Nullable Tree left, List<Tree> right) {
    }

    record Empty() {
    }
}
