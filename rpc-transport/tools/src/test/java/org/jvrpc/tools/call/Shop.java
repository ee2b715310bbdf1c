package org.jvrpc.tools.call;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Flow;
import org.jvrpc.api.Into;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Since;

/** A service with all that a signature may have. */
@RpcService
public interface Shop {

    /** Constants. */
    enum Side { BUY, SELL }

    /** A record within others. */
    record Leg(long instrument, @Nullable String venue) {
    }

    /** One that may hold others of its kind. */
    record Tree(String name, List<Tree> children) {
    }

    /** One without components. */
    record Nothing() {
    }

    /** One that has grown. */
    record Grown(@Since(1) int first, @Since(2) String second) {
    }

    /** Everything that has a fixed layout. */
    record All(boolean truth, byte octet, short small, char letter, int number, long big, float single, double real,
            String text, byte[] bytes, ByteBuffer buffer, long[] longs, boolean[] truths, Side side, Duration duration,
            Instant instant, UUID uuid, BigInteger integer, BigDecimal decimal, List<Leg> legs, Set<String> tags,
            Map<Integer, Leg> byNumber, Map<Leg, Side> byLeg, Optional<Leg> maybe, OptionalInt count, Leg[] array,
            @Nullable Long boxed, Nothing nothing, Grown grown) {
    }

    /** A declared exception. */
    final class LostException extends Exception {

        private static final long serialVersionUID = 1L;
        private final long id;

        public LostException(long id) {
            super("lost " + id);
            this.id = id;
        }

        public long id() {
            return id;
        }
    }

    All echo(All all);

    Tree grow(Tree tree);

    long sum(long left, long right);

    String sum(String left, String right, String third);

    int over(int value);

    String over(String value);

    String find(long id) throws LostException;

    @RpcMethod(heavy = true, idempotent = true, deadline = "2s")
    String slow(@Nullable String text);

    @OneWay
    void tell(String text);

    void fill(String text, @Into ByteBuffer target);

    Flow.Publisher<Leg> legs(int count) throws LostException;

    long total(Flow.Publisher<Leg> legs);

    Flow.Publisher<Long> doubled(Flow.Publisher<Long> numbers);

    TreeMap<String, String> graph(TreeMap<String, String> graph);
}
