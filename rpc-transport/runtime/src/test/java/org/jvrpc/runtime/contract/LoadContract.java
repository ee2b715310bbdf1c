package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Many calls at once, whose every answer is checked. */
public abstract class LoadContract extends RpcContract {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());

    /** Makes a random source and prints its seed. */
    private static SplittableRandom random(String what) {
        System.out.println(what + ": -Djvrpc.seed=" + SEED);
        return new SplittableRandom(SEED);
    }

    private static void mixedCalls(Calls calls, CallsAsync async, SplittableRandom random, int count) {
        ArrayDeque<CompletableFuture<Long>> window = new ArrayDeque<>();
        ArrayDeque<Long> expected = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            long a = random.nextLong();
            int kind = random.nextInt(100);
            if (kind < 60) {
                assertEquals(a + i, calls.add(a, i));
            } else if (kind < 80) {
                window.add(async.add(a, i));
                expected.add(a + i);
            } else if (kind < 97) {
                byte[] body = Bytes.of(random.nextInt(2000), i);
                Bytes.assertSame(body, calls.echo(body), "echo");
            } else if (kind < 99) {
                byte[] body = Bytes.of(random.nextInt(50_000), i);
                Bytes.assertSame(body, calls.echoHeavy(body), "heavy echo");
            } else {
                byte[] body = Bytes.of(random.nextInt(5000), i);
                Bytes.assertSame(body, (byte[]) Await.outcome(calls.echoLater(body)), "later echo");
            }
            while (window.size() > random.nextInt(1, 8)) {
                assertEquals(expected.remove(), Await.outcome(window.remove()));
            }
        }
        while (!window.isEmpty()) {
            assertEquals(expected.remove(), Await.outcome(window.remove()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 3})
    void sixteenThreadsShareAClientAndEachGetsItsOwnAnswers(int slots) {
        SplittableRandom random = random("sixteenThreads");
        RpcClient client = connect(serve(), builder -> builder.slots(slots));
        Calls calls = client.stub(Calls.class);
        CallsAsync async = async(client);
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int t = 0; t < 16; t++) {
            SplittableRandom own = random.split();
            threads.add(Await.start(() -> {
                mixedCalls(calls, async, own, (slots == 64 ? 2000 : 500) / slower());
                return true;
            }));
        }
        threads.forEach(Await::join);
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void threadsShareAClientUnderEveryIdleStrategy(IdleStrategy idle) {
        SplittableRandom random = random("threadsShareAClient");
        RpcServer server = serve(newAddress(), builder -> builder.idle(idle));
        RpcClient client = connect(server, builder -> builder.idle(idle));
        Calls calls = client.stub(Calls.class);
        CallsAsync async = async(client);
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            SplittableRandom own = random.split();
            threads.add(Await.start(() -> {
                mixedCalls(calls, async, own, 1500 / slower());
                return true;
            }));
        }
        threads.forEach(Await::join);
    }

    @Test
    void aHundredThousandOneWayCallsArriveInOrder() {
        Calls calls = connect(serve()).stub(Calls.class);
        int count = 100_000 / slower();
        for (int i = 0; i < count; i++) {
            calls.tick(i);
        }
        Await.until("all one-way calls", () -> impl.ticks.get() == count);
        assertEquals(0, impl.ticksOutOfOrder.get());
    }

    @Test
    void oneWayCallsAreHeldBackByASlowHandlerAndNoneIsLost() {
        impl.tickNs = 20_000;
        Calls calls = connect(serve(), builder -> builder.slots(4)).stub(Calls.class);
        int count = 5000 / slower();
        for (int i = 0; i < count; i++) {
            calls.tick(i);
            assertTrue(i - impl.ticks.get() <= 64, "more in flight than credits");
        }
        Await.until("all one-way calls", () -> impl.ticks.get() == count);
        assertEquals(0, impl.ticksOutOfOrder.get());
        assertEquals(3, calls.add(1, 2));
    }

    @Test
    void oneWayCallsToABlockedServerEndByTheirDeadlineAndOthersGoOnAfterwards() {
        RpcServer server = serve();
        RpcClient client = connect(
                server, builder -> builder.slots(2).deadline(java.time.Duration.ofMillis(500L * slower())));
        Calls calls = opened(client, CallOptions.DEFAULT);
        Calls patient = opened(client, CallOptions.DEFAULT.withDeadlineAfter(java.time.Duration.ofSeconds(30)));
        RpcClient other = connect(server);
        CompletableFuture<Long> blocked = async(other).hangLight(1);
        Await.until("the handler", () -> impl.hanging.get() == 1);
        String why = failsWith(Status.DEADLINE_EXCEEDED, () -> {
            for (int i = 0; i < 1000; i++) {
                calls.tick(i);
            }
        });
        assertTrue(why.contains("one-way"), why);
        impl.openGate();
        assertEquals(1L, Await.outcome(blocked));
        assertEquals(3, patient.add(1, 2));
        assertEquals(0, impl.ticksOutOfOrder.get());
    }

    @Test
    void callbacksCallOnTheSameClient() {
        RpcClient client = connect(serve(), builder -> builder.slots(4));
        Calls calls = client.stub(Calls.class);
        CallsAsync async = async(client);
        for (int i = 0; i < 100; i++) {
            CompletableFuture<Long> chain = async.add(i, 1)
                    .thenApply(x -> calls.add(x, 1))
                    .thenCompose(x -> async.add(x, 1))
                    .thenApply(x -> calls.echo(new byte[(int) (x % 100)]).length + x);
            long x = i + 3;
            assertEquals(x % 100 + x, Await.outcome(chain));
        }
    }

    @Test
    void aChainOfCallbacksGoesOnByItself() {
        CallsAsync async = async(connect(serve()));
        CompletableFuture<Long> end = new CompletableFuture<>();
        step(async, 0, end);
        assertEquals(1000L, Await.outcome(end));
    }

    private static void step(CallsAsync async, long number, CompletableFuture<Long> end) {
        if (number == 1000) {
            end.complete(number);
            return;
        }
        async.add(number, 1).whenComplete((next, failure) -> {
            if (failure != null) {
                end.completeExceptionally(failure);
            } else {
                step(async, next, end);
            }
        });
    }

    @Test
    void aHandlerCallsBackIntoItsOwnServer() {
        RpcServer server = serve();
        RpcClient inner = connect(server);
        Calls innerCalls = inner.stub(Calls.class);
        impl.callBack = depth -> depth == 0 ? 0 : 1 + (depth > 1 ? innerCalls.callBack(depth - 1)
                : innerCalls.add(0, 0));
        Calls calls = connect(server).stub(Calls.class);
        for (int i = 0; i < 100; i++) {
            assertEquals(3, calls.callBack(3));
        }
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void noWakeUpIsLostWhateverThePauses(IdleStrategy idle) {
        SplittableRandom random = random("noWakeUpIsLost");
        RpcServer server = serve(newAddress(), builder -> builder.idle(idle));
        RpcClient client = connect(server, builder -> builder.idle(idle));
        Calls calls = client.stub(Calls.class);
        CallsAsync async = async(client);
        long longestNs = 0;
        for (int i = 0; i < 1000 / slower(); i++) {
            long pauseNs = random.nextLong(1, random.nextBoolean() ? 5_000 : 400_000);
            long pauseUntilNs = System.nanoTime() + pauseNs;
            if (random.nextBoolean()) {
                LockSupport.parkNanos(pauseNs);
            }
            while (System.nanoTime() < pauseUntilNs) {
                Thread.onSpinWait();
            }
            long startNs = System.nanoTime();
            int kind = random.nextInt(3);
            if (kind == 0) {
                assertEquals(i, calls.add(i, 0));
            } else if (kind == 1) {
                assertEquals((long) i, Await.outcome(async.add(i, 0).thenApply(x -> x)));
            } else {
                assertEquals(1, calls.echoHeavy(new byte[1]).length);
            }
            longestNs = Math.max(longestNs, System.nanoTime() - startNs);
        }
        assertTrue(longestNs < 10_000_000_000L, "a call took ns=" + longestNs);
    }

    /** Answers, deadlines, cancellations and the loss of the connection race; each call ends once. */
    @Test
    void everyCallEndsExactlyOnceHoweverItsEndsRace() {
        SplittableRandom random = random("everyCallEndsExactlyOnce");
        RpcServer server = serve();
        AtomicLong ended = new AtomicLong();
        AtomicLong wrong = new AtomicLong();
        long begun = 0;
        for (int round = 0; round < Math.max(3, 30 / slower()); round++) {
            RpcClient client = connect(server, builder -> builder.slots(1 + random.nextInt(32))
                    .deadline(java.time.Duration.ofNanos(slower() * (50_000L + random.nextInt(3_000_000))))
                    .intercept((call, next) -> {
                        call.whenEnded((status, message) -> ended.incrementAndGet());
                        next.proceed();
                    }));
            CallsAsync async;
            try {
                async = async(client);
            } catch (RpcException e) {
                continue; // opening the service was too slow for this deadline
            }
            List<CompletableFuture<?>> calls = new ArrayList<>();
            AtomicLong completions = new AtomicLong();
            for (int i = 0; i < 200; i++) {
                CompletableFuture<?> call = begin(async, random.nextInt(4), i, wrong);
                if (call == null) {
                    continue;
                }
                begun++;
                call.whenComplete((value, failure) -> completions.incrementAndGet());
                calls.add(call);
                if (random.nextInt(4) == 0) {
                    calls.get(random.nextInt(calls.size())).cancel(false);
                }
            }
            if (random.nextBoolean()) {
                client.close();
            }
            calls.forEach(Await::outcome);
            Await.until("all completions", () -> completions.get() == calls.size());
        }
        long all = begun;
        Await.until("all listeners: " + all, () -> ended.get() >= all);
        assertEquals(all, ended.get());
        assertEquals(0, wrong.get());
    }

    private static CompletableFuture<?> begin(CallsAsync async, int kind, int i, AtomicLong wrong) {
        try {
            return switch (kind) {
                case 0 -> async.add(i, 1).thenAccept(sum -> wrong.addAndGet(sum == i + 1 ? 0 : 1));
                case 1 -> async.echoHeavy(Bytes.of(i, i));
                case 2 -> async.echo(Bytes.of(i * 100, i));
                default -> async.echoLater(Bytes.of(i, i));
            };
        } catch (RpcException e) {
            if (e.status() != Status.DEADLINE_EXCEEDED && e.status() != Status.UNAVAILABLE) {
                throw e;
            }
            return null; // there was no slot: it was not begun
        }
    }

    @Test
    void synchronousCallsThatRaceWithTheirDeadlinesNeverGetAnAnswerOfAnother() {
        RpcServer server = serve();
        RpcClient client = connect(server, builder -> builder.slots(3));
        Calls calls = client.stub(Calls.class);
        Calls hasty = client.stub(Calls.class,
                CallOptions.DEFAULT.withDeadlineAfter(java.time.Duration.ofNanos(15_000)));
        List<CompletableFuture<Integer>> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            int mine = t;
            threads.add(Await.start(() -> {
                int late = 0;
                for (int i = 0; i < 3000 / slower(); i++) {
                    long a = mine * 1_000_000_000L + i;
                    try {
                        assertEquals(a + 1, (mine % 2 == 0 ? hasty : calls).add(a, 1));
                    } catch (RpcException e) {
                        assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
                        late++;
                    }
                }
                return late;
            }));
        }
        threads.forEach(Await::join);
        assertEquals(3, calls.add(1, 2));
    }
}
