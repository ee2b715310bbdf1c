package org.jvrpc.codegen.roundtrip;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
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
import org.jvrpc.api.RpcService;

/** A method for every kind of type. Each is called with random values. */
@RpcService
public interface Everything extends Generic<String, Everything.Point> {

    long primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h);

    Boxes boxes(Boolean a, Byte b, Short c, Character d, Integer e, Long f, Float g, Double h);

    Arrays arrays(boolean[] a, byte[] b, short[] c, char[] d, int[] e, long[] f, float[] g, double[] h);

    String strings(String a, @Nullable String b, String... rest);

    @Nullable Color enums(Color a, @Nullable Color b, Color[] c, Set<Color> d);

    Jdk jdk(Duration a, Instant b, BigDecimal c, BigInteger d, UUID e, ByteBuffer f, @Nullable ByteBuffer g);

    Optionals optionals(Optional<String> a, OptionalInt b, OptionalLong c, OptionalDouble d, Optional<Integer> e);

    List<@Nullable Point> lists(List<Integer> a, Collection<String> b, Set<Long> c, List<List<Point>> d);

    Map<Color, List<Optional<Point>>> maps(Map<String, Integer> a, Map<Long, Map<Point, Color>> b);

    Point[][] arraysOfArrays(long[][] a, String[] b, Point[] c, List<Short>[] d);

    @Nullable Tree trees(Tree a, @Nullable Tree b);

    Pair<Color, Pair<Integer, @Nullable String>> generics(Pair<Long, Point> a, List<? extends Pair<Point, Point>> b);

    Pair<Integer, String> genericsOtherwiseNull(Pair<@Nullable Long, Point> a, Pair<String, @Nullable Point> b);

    Empty empty(Empty a, List<Empty> b);

    Shape shapes(Shape a, List<Shape> b, @Nullable Graph c);

    Graph[] graphs(Graph a, Map<String, Graph> b);

    CompletableFuture<Pair<Long, Color>> later(Point a);

    CompletableFuture<Integer> laterBoxed(Integer a);

    CompletableFuture<Void> laterNothing();

    void nothing();

    int overloaded(int a);

    String overloaded(String a);

    Boolean overloaded(int a, String b);

    enum Color { RED, GREEN, BLUE }

    record Boxes(Boolean a, Byte b, Short c, Character d, Integer e, Long f, Float g, Double h) {
    }

    record Arrays(boolean[] a, byte[] b, short[] c, char[] d, int[] e, long[] f, float[] g, double[] h) {
    }

    record Jdk(Duration a, Instant b, BigDecimal c, BigInteger d, UUID e, ByteBuffer f, @Nullable Instant g) {
    }

    record Optionals(Optional<Point> a, OptionalInt b, OptionalLong c, OptionalDouble d, Optional<Color> e) {
    }

    record Point(int x, long y) {
    }

    record Pair<A, B>(A first, B second) {
    }

    record Tree(int value, @Nullable Tree left, List<Tree> right, Optional<Tree> maybe) {
    }

    record Empty() {
    }

    /** Travels as an object graph. */
    sealed interface Shape extends Serializable permits Circle, Square {
    }

    record Circle(long radius) implements Shape {
    }

    record Square(String side) implements Shape {
    }

    /** Travels as an object graph, and can be compared. */
    final class Graph implements Serializable {

        private static final long serialVersionUID = 1L;

        final String name;
        final Graph next;

        public Graph(String name, Graph next) {
            this.name = name;
            this.next = next;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Graph graph && name.equals(graph.name)
                    && Objects.equals(next, graph.next);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }
}
