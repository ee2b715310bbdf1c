package org.jvrpc.runtime.contract;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcServer;

/** The service of the contract, with a gate that some of its methods wait for. */
public final class CallsImpl implements Calls {

    public final AtomicLong ticks = new AtomicLong();
    public final AtomicLong ticksOutOfOrder = new AtomicLong();
    public final AtomicInteger hanging = new AtomicInteger();
    /** Calls of {@link #hangLater} and {@link #untilCancelled} that began. */
    public final AtomicInteger later = new AtomicInteger();
    public final AtomicInteger cancellable = new AtomicInteger();
    public final AtomicInteger calls = new AtomicInteger();
    public final CountDownLatch cancelSeen = new CountDownLatch(1);
    public final Queue<byte[]> told = new ConcurrentLinkedQueue<>();
    public volatile long tickNs;
    public volatile LongUnaryOperator callBack = depth -> depth;
    /** What {@link #echoLater} and {@link #echoHeavyLater} return. */
    public volatile Function<byte[], CompletableFuture<byte[]>> echoes = bytes -> bytes.length % 2 == 0
            ? CompletableFuture.completedFuture(bytes) : CompletableFuture.supplyAsync(() -> bytes);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    /** Lets everything go that hangs. */
    public void openGate() {
        gate.countDown();
        opened.complete(null);
    }

    private long hangThere(long number) {
        hanging.incrementAndGet();
        try {
            Await.latch("the gate", gate);
        } finally {
            hanging.decrementAndGet();
        }
        return number;
    }

    @Override
    public void nothing() {
        calls.incrementAndGet();
    }

    @Override
    public long add(long a, long b) {
        return a + b;
    }

    @Override
    public String primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h) {
        return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h;
    }

    @Override
    public String boxes(Boolean a, Integer b, Long c, Double d) {
        return a + " " + b + " " + c + " " + d;
    }

    @Override
    public String text(String text) throws Overdrawn {
        if (text.startsWith("overdrawn")) {
            throw new Overdrawn(text, text.length());
        }
        return text;
    }

    @Override
    public String nullable(String text) {
        return text;
    }

    @Override
    public byte[] echo(byte[] bytes) {
        return bytes;
    }

    @Override
    public byte[] echoHeavy(byte[] bytes) {
        return bytes;
    }

    @Override
    public CompletableFuture<byte[]> echoLater(byte[] bytes) {
        return echoes.apply(bytes);
    }

    @Override
    public CompletableFuture<byte[]> echoHeavyLater(byte[] bytes) {
        return echoLater(bytes);
    }

    @Override
    public byte[] sized(int length, int seed) {
        return Bytes.of(length, seed);
    }

    @Override
    public long count(byte[] bytes) {
        return bytes.length;
    }

    @Override
    public void copy(ByteBuffer from, ByteBuffer to) {
        to.put(from);
    }

    @Override
    public Order order(Order order) {
        return order;
    }

    @Override
    public Map<String, List<Order>> orders(Map<String, List<Order>> orders, Set<Side> sides, Optional<Order> maybe) {
        return orders;
    }

    @Override
    public Node graph(Node node) {
        if ("stranger".equals(node.name)) {
            return new Stranger();
        }
        return node;
    }

    @Override
    public void tick(long number) {
        if (ticks.getAndIncrement() != number) {
            ticksOutOfOrder.incrementAndGet();
        }
        spin();
    }

    private void spin() {
        if (tickNs > 0) {
            long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < tickNs) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void tell(byte[] bytes) {
        told.add(bytes);
    }

    @Override
    public void tickHeavy(long number) {
        spin();
        ticks.incrementAndGet();
    }

    @Override
    public long hang(long number) {
        return hangThere(number);
    }

    @Override
    public long hangBriefly(long number) {
        return hangThere(number);
    }

    @Override
    public long hangLight(long number) {
        return hangThere(number);
    }

    @Override
    public CompletableFuture<Long> hangLater(long number) {
        hanging.incrementAndGet();
        later.incrementAndGet();
        return opened.thenApply(nothing -> number);
    }

    @Override
    public void untilCancelled() {
        ServerContext context = RpcServer.context();
        hanging.incrementAndGet();
        cancellable.incrementAndGet();
        Await.until("the caller to cancel", context::isCancelled);
        cancelSeen.countDown();
    }

    @Override
    public int fail(String how) throws Overdrawn {
        return switch (how) {
            case "declared" -> throw new Overdrawn("no money", 42);
            case "status" -> throw new RpcException(Status.NOT_FOUND, "no such thing");
            case "unchecked" -> throw new IllegalStateException("boom");
            case "silent" -> throw new NullPointerException();
            case "error" -> throw new AssertionError("broken");
            case "overflow" -> 1 + fail(how);
            case "verbose" -> throw new IllegalStateException("x".repeat(100_000));
            case "invalid" -> throw new RpcException(Status.INVALID_ARGUMENT, "not so");
            default -> how.length();
        };
    }

    @Override
    public int failHeavy(String how) throws Overdrawn {
        return fail(how);
    }

    @Override
    public CompletableFuture<Integer> failLater(String how) throws Overdrawn {
        if (how.equals("null")) {
            return null;
        }
        if (how.startsWith("stage ")) {
            CompletableFuture<Integer> failed = new CompletableFuture<>();
            try {
                failed.complete(fail(how.substring("stage ".length())));
            } catch (Throwable t) {
                failed.completeExceptionally(t);
            }
            return failed;
        }
        return CompletableFuture.completedFuture(fail(how));
    }

    @Override
    public CompletableFuture<Integer> failHeavyLater(String how) throws Overdrawn {
        return failLater(how);
    }

    @Override
    public String context(String name) {
        ServerContext context = RpcServer.context();
        return context == null ? "none" : context.method().name() + " " + context.metadata().get(name);
    }

    @Override
    public long remainingNs() {
        return RpcServer.context().remainingNs();
    }

    @Override
    public long remainingHeavyNs() {
        return RpcServer.context().remainingNs();
    }

    @Override
    public long callBack(long depth) {
        return callBack.applyAsLong(depth);
    }
}
