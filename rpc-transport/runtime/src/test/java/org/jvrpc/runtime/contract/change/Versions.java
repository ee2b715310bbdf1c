package org.jvrpc.runtime.contract.change;

import java.util.Map;

/** The versions of {@code shop.Shop}, each compiled once. */
final class Versions {

    private static final String SHOP = """
        package shop;

        import java.time.Duration;
        import java.util.List;
        import java.util.Map;
        import java.util.concurrent.CompletableFuture;
        import java.util.concurrent.Flow;
        import org.jvrpc.api.OneWay;
        import org.jvrpc.api.Offload;
        import org.jvrpc.api.RpcMethod;
        import org.jvrpc.api.RpcService;
        import org.jvrpc.api.Since;
        import org.jvrpc.api.UnknownConstant;

        @RpcService
        public interface Shop {

            Order echo(Order order);
            Order find(long id) throws SoldOut;
            CompletableFuture<Order> later(long id);
            String text(Order order);
            @RpcMethod(heavy = true) String textHeavy(Order order);
            List<Order> all(Map<String, Order> orders);
            List<Line> lines(List<Line> lines);
            Side side(Side side);
            int sideOrdinal(Side side);
            Side sideOf(int ordinal);
            String kindName(Kind kind);
            Kind kindOf(int ordinal);
            @OneWay void note(Order order);
            List<String> noted();
            @Offload Order quote(long id);
            Flow.Publisher<Order> mirror(Flow.Publisher<Order> orders);
        %s
            record Order(long id, String symbol, Side side%s) {
            }

            record Line(int n, Order order%s) {
            }

            enum Side { BUY, SELL%s }

            enum Kind { BOOK, @UnknownConstant OTHER%s }

            class SoldOut extends Exception {

                private static final long serialVersionUID = 1L;
                public long id;
                public Duration wait;

                public SoldOut(long id%s) {
                    this.id = id;
                    %s
                }

                public long id() {
                    return id;
                }

                public Duration wait_() {
                    return wait;
                }

                public Duration getWait() {
                    return wait;
                }
            }
        }
        """;

    private static final String SHOP_IMPL = """
        package shop;

        import java.time.Duration;
        import java.util.ArrayList;
        import java.util.List;
        import java.util.Map;
        import java.util.concurrent.CompletableFuture;
        import java.util.concurrent.Flow;

        public final class ShopImpl implements Shop {

            private final List<String> noted = new ArrayList<>();

            private static Order order(long id) {
                return new Order(id, "S" + id, Side.SELL%s);
            }

            public Order echo(Order order) { return order; }

            public Order find(long id) throws SoldOut {
                if (id < 0) {
                    throw new SoldOut(id%s);
                }
                return order(id);
            }

            public Order quote(long id) { return order(id); }

            public Flow.Publisher<Order> mirror(Flow.Publisher<Order> orders) { return orders; }

            public CompletableFuture<Order> later(long id) {
                return CompletableFuture.supplyAsync(() -> order(id));
            }

            public String text(Order order) { return order.toString(); }

            public String textHeavy(Order order) { return order.toString(); }

            public List<Order> all(Map<String, Order> orders) { return new ArrayList<>(orders.values()); }

            public List<Line> lines(List<Line> lines) {
                List<Line> all = new ArrayList<>(lines);
                all.add(new Line(9, order(9)%s));
                return all;
            }

            public Side side(Side side) { return side; }

            public int sideOrdinal(Side side) { return side.ordinal(); }

            public Side sideOf(int ordinal) { return Side.values()[ordinal]; }

            public String kindName(Kind kind) { return kind.name(); }

            public Kind kindOf(int ordinal) { return Kind.values()[ordinal]; }

            public synchronized void note(Order order) { noted.add(order.toString()); }

            public synchronized List<String> noted() { return new ArrayList<>(noted); }
        %s}
        """;

    /** The parts in which versions differ. */
    private record Parts(
            String order,
            String orderTail,
            String line,
            String lineTail,
            String side,
            String kind,
            String soldOut,
            String soldOutTail,
            String methods,
            String handlers) {
    }

    /** As it began. */
    static final Version OLD = Version.of(sources(new Parts(
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            """
                int changed(int n);
                void gone();
                @OneWay void noteGone(Order order);
                Flow.Publisher<Integer> changedElements(int n);
                int changedArgument(Flow.Publisher<Integer> elements);
                """,
            """
                public int changed(int n) { return n; }
                public void gone() { }
                public void noteGone(Order order) { }
                public Flow.Publisher<Integer> changedElements(int n) { throw new AssertionError("called"); }
                public int changedArgument(Flow.Publisher<Integer> elements) { throw new AssertionError("called"); }
                """)));

    /** With components, constants and a method more; one is gone, one has another result. */
    static final Version NEW = Version.of(sources(new Parts(
            ", @Since(2) String note, @Since(2) int lots, @Since(3) List<Order> parts",
            ", \"note\" + id, 7, List.of(new Order(id + 1, \"part\", Side.BUY, null, 1, null))",
            "",
            "",
            ", HOLD",
            ", FILM",
            ", @Since(2) Duration wait",
            ", Duration.ofSeconds(3)",
            """
                String changed(int n);
                long restock(long id);
                @OneWay void noteNew(Order order);
                Flow.Publisher<Order> added(int n);
                Flow.Publisher<Long> changedElements(int n);
                int changedArgument(Flow.Publisher<Long> elements);
                """,
            """
                public String changed(int n) { return "" + n; }
                public long restock(long id) { return id; }
                public void noteNew(Order order) { }
                public Flow.Publisher<Order> added(int n) { return null; }
                public Flow.Publisher<Long> changedElements(int n) { throw new AssertionError("called"); }
                public int changedArgument(Flow.Publisher<Long> elements) { throw new AssertionError("called"); }
                """)));

    /** From {@link #OLD} again, in another direction. */
    static final Version SIDEWAYS = Version.of(sources(new Parts(
            "",
            "",
            ", @Since(2) String text",
            ", \"text\"",
            "",
            "",
            "",
            "",
            "",
            "")));

    /** Of the same name, with nothing in common. */
    static final Version FOREIGN = Version.of(Map.of("Shop", """
            package shop;

            @org.jvrpc.api.RpcService
            public interface Shop {

                void foreign();
            }
            """));

    private Versions() {
    }

    private static Map<String, String> sources(Parts parts) {
        return Map.of(
                "Shop", SHOP.formatted(parts.methods, parts.order, parts.line, parts.side, parts.kind, parts.soldOut,
                        parts.soldOut.isEmpty() ? "" : "this.wait = wait;"),
                "ShopImpl", SHOP_IMPL.formatted(parts.orderTail, parts.soldOutTail, parts.lineTail, parts.handlers));
    }
}
