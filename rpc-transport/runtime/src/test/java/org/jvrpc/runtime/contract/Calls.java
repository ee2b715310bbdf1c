package org.jvrpc.runtime.contract;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Every kind of call. */
@RpcService
public interface Calls {

    void nothing();

    long add(long a, long b);

    String primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h);

    String boxes(Boolean a, Integer b, Long c, Double d);

    String text(String text) throws Overdrawn;

    @Nullable String nullable(@Nullable String text);

    byte[] echo(byte[] bytes);

    @RpcMethod(heavy = true)
    byte[] echoHeavy(byte[] bytes);

    CompletableFuture<byte[]> echoLater(byte[] bytes);

    @RpcMethod(heavy = true)
    CompletableFuture<byte[]> echoHeavyLater(byte[] bytes);

    /** Bytes that begin with a seed, of a length of their own. */
    byte[] sized(int length, int seed);

    long count(byte[] bytes);

    void copy(@InPlace ByteBuffer from, @Into ByteBuffer to);

    Order order(Order order);

    Map<String, List<Order>> orders(Map<String, List<Order>> orders, Set<Side> sides, Optional<Order> maybe);

    Node graph(Node node);

    @OneWay
    void tick(long number);

    @OneWay
    void tell(byte[] bytes);

    @OneWay
    @RpcMethod(heavy = true)
    void tickHeavy(long number);

    /** Waits for the gate. */
    @RpcMethod(heavy = true)
    long hang(long number);

    @RpcMethod(heavy = true, deadline = "80ms")
    long hangBriefly(long number);

    /** Waits for the gate on the poller. */
    long hangLight(long number);

    /** Completes when the gate opens. */
    CompletableFuture<Long> hangLater(long number);

    /** Waits until its caller cancels; the observer hears of it. */
    @RpcMethod(heavy = true)
    void untilCancelled();

    int fail(String how) throws Overdrawn;

    @RpcMethod(heavy = true)
    int failHeavy(String how) throws Overdrawn;

    CompletableFuture<Integer> failLater(String how) throws Overdrawn;

    @RpcMethod(heavy = true)
    CompletableFuture<Integer> failHeavyLater(String how) throws Overdrawn;

    /** Metadata of the call under a name, and the method as the server's context has it. */
    String context(String name);

    /** The time left as the handler sees it, in nanoseconds. */
    long remainingNs();

    @RpcMethod(heavy = true)
    long remainingHeavyNs();

    /** Calls back into the server that it is on. */
    @RpcMethod(heavy = true)
    long callBack(long depth);

    /** Stays local. */
    default String local() {
        return "local";
    }

    enum Side { BUY, SELL }

    record Leg(long instrument, int ratio) {
    }

    record Order(long id, String symbol, Side side, int quantity, double price, List<Leg> legs) {
    }

    /** Declared by methods. */
    final class Overdrawn extends Exception {

        private static final long serialVersionUID = 1L;

        private final long account;

        public Overdrawn(String message, long account) {
            super(message);
            this.account = account;
        }

        public long account() {
            return account;
        }
    }

    /** Travels as an object graph. */
    class Node implements Serializable {

        private static final long serialVersionUID = 1L;

        public String name;
        public Node next;

        @Override
        public boolean equals(Object other) {
            return other instanceof Node node && Objects.equals(name, node.name) && Objects.equals(next, node.next);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(name);
        }
    }

    /** Is a node that nobody registered. */
    final class Stranger extends Node {
        private static final long serialVersionUID = 1L;
    }
}
