package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;

/** Every kind of call, every kind of type, bodies of every length. */
public abstract class CallContract extends RpcContract {

    private static final int SLOT_BYTES = 1024;
    /** What a gibibyte may take where processors are busy with others' work. */
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final Calls.Order ORDER = new Calls.Order(
            1, "ACME", Calls.Side.SELL, 7, 2.5, List.of(new Calls.Leg(3, -1), new Calls.Leg(4, 2)));

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void everyKindOfCallWorksUnderEveryIdleStrategy(IdleStrategy idle) throws Exception {
        TestServer server = serve(newAddress(), builder -> builder.idle(idle));
        RpcClient client = connect(server, builder -> builder.idle(idle));
        Calls calls = client.stub(Calls.class);
        CallsAsync async = async(client);
        calls.nothing();
        byte[] body = Bytes.of(100, 1);
        for (int i = 0; i < 200; i++) {
            assertEquals(3 * i, calls.add(i, 2 * i));
            assertEquals((long) i, Await.outcome(async.add(i, 0)));
            assertArrayEquals(body, calls.echoHeavy(body));
            assertArrayEquals(body, (byte[]) Await.outcome(calls.echoLater(body)));
            calls.tick(i);
        }
        assertArrayEquals(body, (byte[]) Await.outcome(async.echoHeavy(body)));
        assertArrayEquals(body, (byte[]) Await.outcome(async.echoLater(body)));
        Await.until("all one-way calls", () -> ticks() == 200);
        assertEquals(0, ticksOutOfOrder());
        assertEquals("local", calls.local());
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void callbacksHearOfTheirCallsUnderEveryIdleStrategy(IdleStrategy idle) throws Exception {
        TestServer server = serve(newAddress(), builder -> builder.idle(idle));
        RpcClient client = connect(server, builder -> builder.idle(idle));
        CallsAsync async = async(client);
        byte[] body = Bytes.of(5000, 1);
        for (boolean polls : new boolean[] {true, false}) {
            Chain chain = new Chain(async, 200);
            chain.next();
            CompletableFuture<byte[]> longer = new CompletableFuture<>();
            async.echoHeavy(body, (bytes, failure) -> complete(longer, bytes, failure));
            CompletableFuture<byte[]> later = new CompletableFuture<>();
            async.echoLater(body, (bytes, failure) -> complete(later, bytes, failure));
            CompletableFuture<String> refused = new CompletableFuture<>();
            async.text("overdrawn", (text, failure) -> complete(refused, text, failure));
            if (polls) {
                Await.until("all callbacks", () -> {
                    client.poll();
                    return chain.end.isDone() && longer.isDone() && later.isDone() && refused.isDone();
                });
            }
            assertEquals(200L, Await.outcome(chain.end));
            assertArrayEquals(body, (byte[]) Await.outcome(longer));
            assertArrayEquals(body, (byte[]) Await.outcome(later));
            assertInstanceOf(Calls.Overdrawn.class, Await.outcome(refused));
        }
    }

    private static <T> void complete(CompletableFuture<T> future, T result, Throwable failure) {
        if (failure != null) {
            future.completeExceptionally(failure);
        } else {
            future.complete(result);
        }
    }

    /** Calls each of which two more follow, until there are so many. */
    private static final class Chain implements RpcCallback.OfLong {

        private final CallsAsync async;
        private final long most;
        private final CompletableFuture<Long> end = new CompletableFuture<>();
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong sum = new AtomicLong();
        private final AtomicLong answered = new AtomicLong();

        Chain(CallsAsync async, long most) {
            this.async = async;
            this.most = most;
        }

        void next() {
            if (sent.incrementAndGet() <= most) {
                async.add(1, 0, this);
            }
        }

        @Override
        public void completed(long result, Throwable failure) {
            if (failure != null) {
                end.completeExceptionally(failure);
                return;
            }
            sum.addAndGet(result);
            if (answered.incrementAndGet() == most) {
                end.complete(sum.get());
            }
            next();
            next();
        }
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    @Tag("slow")
    void callsWorkAfterALongSilence(IdleStrategy idle) {
        TestServer server = serve(newAddress(), builder -> builder.idle(idle));
        RpcClient client = connect(server, builder -> builder.idle(idle));
        Calls calls = client.stub(Calls.class);
        CallsAsync async = async(client);
        Runnable silence = () -> {
            if (idle == IdleStrategy.ADAPTIVE || idle == IdleStrategy.BLOCK) {
                tellServer(side -> Await.asleep("jvrpc-"));
            }
            Await.asleep("jvrpc-client-");
        };
        for (int i = 0; i < 3; i++) {
            silence.run();
            assertEquals(i, calls.add(i, 0));
            silence.run();
            assertEquals((long) i, Await.outcome(async.add(0, i)));
            silence.run();
            assertEquals((long) i, Await.outcome(async.add(0, i).thenApply(x -> x)), "nobody polls for it");
            silence.run();
            calls.tick(i);
            long sent = i + 1;
            Await.until("the one-way call", () -> ticks() == sent);
        }
    }

    @Test
    void valuesOfEveryKindOfTypeArriveAsTheyWere() throws Exception {
        Calls calls = connect(serve()).stub(Calls.class);
        assertEquals("true -1 -2 x 4 -5 6.5 -7.25", calls.primitives(true, (byte) -1, (short) -2, 'x', 4, -5, 6.5f,
                -7.25));
        assertEquals("null 1 null 2.0", calls.boxes(null, 1, null, 2.0));
        assertEquals("grüße 世界 \ud83d\ude00", calls.text("grüße 世界 \ud83d\ude00"));
        assertNull(calls.nullable(null));
        assertEquals("", calls.nullable(""));
        assertEquals(ORDER, calls.order(ORDER));
        Map<String, List<Calls.Order>> orders = Map.of("a", List.of(ORDER, ORDER), "b", List.of());
        assertEquals(orders, calls.orders(orders, Set.of(Calls.Side.BUY), Optional.of(ORDER)));
        Calls.Node node = new Calls.Node();
        node.name = "first";
        node.next = new Calls.Node();
        assertEquals(node, calls.graph(node));
        Calls.Node cycle = new Calls.Node();
        cycle.next = cycle;
        Calls.Node back = calls.graph(cycle);
        assertEquals(back, back.next.next);
    }

    @Test
    void declaredExceptionsArriveAsThemselves() {
        RpcClient client = connect(serve());
        Calls calls = client.stub(Calls.class);
        for (int length : new int[] {0, 100, 3000, 5000, 200_000}) {
            String text = "overdrawn" + "x".repeat(length);
            Calls.Overdrawn e = assertThrows(Calls.Overdrawn.class, () -> calls.text(text));
            assertEquals(text, e.getMessage());
            assertEquals(text.length(), e.account());
        }
        assertInstanceOf(Calls.Overdrawn.class, Await.outcome(async(client).text("overdrawn")));
        assertInstanceOf(Calls.Overdrawn.class, Await.outcome(async(client).fail("declared")));
        assertThrows(Calls.Overdrawn.class, () -> calls.failHeavy("declared"));
        assertInstanceOf(Calls.Overdrawn.class, Await.outcome(async(client).failLater("stage declared")));
        assertInstanceOf(Calls.Overdrawn.class, Await.outcome(async(client).failHeavyLater("stage declared")));
    }

    private static void echoes(RpcClient client, CallOptions options, int length) throws Exception {
        Calls calls = client.stub(Calls.class, options);
        byte[] body = Bytes.of(length, length);
        Bytes.assertSame(body, calls.echo(body), "echo of " + length);
        Bytes.assertSame(body, calls.echoHeavy(body), "heavy echo of " + length);
        Bytes.assertSame(body, (byte[]) Await.outcome(calls.echoLater(body)), "later echo of " + length);
        Bytes.assertSame(body, (byte[]) Await.outcome(calls.echoHeavyLater(body)), "heavy later echo of " + length);
        Bytes.assertSame(body, (byte[]) Await.outcome(
                client.asyncStub(Calls.class, CallsAsync.class, options).echo(body)), "asynchronous echo of " + length);
        Bytes.assertSame(Bytes.of(length, 3), calls.sized(length, 3), "answer of " + length);
        assertEquals(length, calls.count(body));
        ByteBuffer into = ByteBuffer.allocate(length);
        calls.copy(ByteBuffer.wrap(body), into);
        Bytes.assertSame(body, into.array(), "copy of " + length);
    }

    @Test
    void bodiesOfEveryLengthAroundWhatCompletionsHoldAreEchoed() throws Exception {
        RpcClient client = connect(serve());
        for (int length = 0; length <= 68; length++) {
            echoes(client, CallOptions.DEFAULT, length);
        }
    }

    @Test
    void bodiesOfEveryLengthAroundASlotAreEchoedWithAndWithoutAnExtension() throws Exception {
        TestServer server = serve();
        RpcClient client = connect(server, builder -> builder.slotBytes(SLOT_BYTES).slots(4));
        CallOptions extended = CallOptions.DEFAULT.withMetadata("who", "a tester");
        for (int length = SLOT_BYTES - 60; length <= SLOT_BYTES + 4; length++) {
            echoes(client, CallOptions.DEFAULT, length);
            echoes(client, extended, length);
        }
    }

    @Test
    @Tag("slow")
    void bodiesUpToTheLargestSlotAreEchoed() throws Exception {
        RpcClient client = connect(serve(), builder -> builder.slotBytes(1 << 20).slots(4));
        for (int length = (1 << 20) - 5; length <= (1 << 20) + 1; length++) {
            echoes(client, CallOptions.DEFAULT, length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16_383, 16_384, 65_536, 262_144, 1_000_003})
    void longBodiesAreEchoed(int length) throws Exception {
        echoesLong(length);
    }

    @ParameterizedTest
    @ValueSource(ints = {16 << 20, 64 << 20})
    @Tag("slow")
    void veryLongBodiesAreEchoed(int length) throws Exception {
        echoesLong(length);
    }

    private void echoesLong(int length) throws Exception {
        assumeTrue(length <= longestBody(), "longer than what this device is tested with: bytes=" + longestBody());
        RpcClient client = connect(serve(), builder -> builder.deadline(PATIENCE));
        byte[] body = Bytes.of(length, 5);
        Calls calls = client.stub(Calls.class);
        Bytes.assertSame(body, calls.echo(body), "echo");
        Bytes.assertSame(body, (byte[]) Await.outcome(async(client).echoHeavy(body)), "asynchronous heavy echo");
        assertEquals(length, calls.count(body));
        Bytes.assertSame(Bytes.of(length, 6), calls.sized(length, 6), "answer");
    }

    /** What it maps and makes on the way is the session's: an interrupt ends neither that nor the session. */
    @Test
    void anInterruptedThreadFetchesLongAnswers() {
        RpcClient client = connect(serve());
        Calls calls = client.stub(Calls.class);
        CallsAsync async = async(client);
        int bodies = 12 / slower();
        Await.join(Await.start(() -> {
            for (int n = 1; n <= bodies; n++) {
                byte[] body = Bytes.of(n << 19, n);
                CompletableFuture<byte[]> echo = calls.echoLater(body);
                while (!echo.isDone()) {
                    CompletableFuture<Long> sum = async.add(n, 1);
                    Thread.currentThread().interrupt();
                    assertEquals(n + 1, sum.join()); // it polls, and while it does, nobody else
                    assertTrue(Thread.interrupted(), "the interrupt is lost");
                }
                Bytes.assertSame(body, echo.join(), "echo of " + body.length);
            }
            return null;
        }));
    }

    /** Of a gibibyte where there is room: the body and three copies, in shared memory and on the heap, each way. */
    @Test
    @Timeout(300)
    @Tag("slow")
    void theLongestBodyThatThereIsRoomForTravelsBothWays() throws Exception {
        assumeTrue(longestBody() >= 1L << 30, "longer than what this device is tested with: bytes=" + longestBody());
        long most = Math.min(availableMemory() / 12, Runtime.getRuntime().maxMemory() / 3);
        int length = (int) Math.min(1L << 30, most) - 64;
        System.out.println("the longest body: bytes=" + length + (most < 1L << 30
                ? ", not a gibibyte, which needs 12 GiB of available memory and a heap of 3 GiB" : ""));
        Calls calls = connect(serve()).stub(Calls.class, CallOptions.DEFAULT.withDeadlineAfter(PATIENCE));
        assertEquals(length, calls.count(new byte[length]));
        assertEquals(length, calls.sized(length, 1).length);
    }

    private static long availableMemory() throws IOException {
        Path meminfo = Path.of("/proc/meminfo");
        if (!Files.exists(meminfo)) {
            return Runtime.getRuntime().maxMemory();
        }
        return Files.readAllLines(meminfo).stream().filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10).findFirst().orElse(0);
    }

    @Test
    void oneWayCallsOfEveryLengthArriveInOrder() {
        TestServer server = serve();
        Calls calls = connect(server, builder -> builder.slotBytes(SLOT_BYTES)).stub(Calls.class);
        for (int length = 0; length <= SLOT_BYTES - 4; length += length < 70 ? 1 : 53) {
            calls.tell(Bytes.of(length, length));
        }
        calls.tell(Bytes.of(SLOT_BYTES - 4, 9));
        calls.nothing();
        for (int length = 0; length <= SLOT_BYTES - 4; length += length < 70 ? 1 : 53) {
            Bytes.assertSame(Bytes.of(length, length), told(), "told " + length);
        }
        Bytes.assertSame(Bytes.of(SLOT_BYTES - 4, 9), told(), "longest");
    }

    private byte[] told() {
        return askServer(side -> side.impl.told.remove());
    }

    @Test
    void manyServicesLiveOnOneServer() {
        TestServer server = serve(newAddress(), (builder, side) -> builder
                .service(Twin.class, text -> "twin " + text)
                .service(Third.class, number -> side.impl.ticks.addAndGet(number)));
        RpcClient client = connect(server);
        assertEquals("twin x", client.stub(Twin.class).say("x"));
        assertEquals(5, client.stub(Third.class).sum(5));
        assertEquals(3, client.stub(Calls.class).add(1, 2));
        assertEquals(7, client.stub(Third.class).sum(2));
        assertEquals(7, connect(server).stub(Third.class).sum(0));
    }
}
