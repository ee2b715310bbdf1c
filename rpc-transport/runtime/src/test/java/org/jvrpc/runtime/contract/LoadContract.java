package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
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
import org.jvrpc.runtime.contract.ends.Race;
import org.jvrpc.runtime.contract.ends.RacedCall;
import org.jvrpc.runtime.session.Protocol;

/** Many calls at once, whose every answer is checked. */
public abstract class LoadContract extends RpcContract {

    private final long seed = Long.getLong("jvrpc.seed", System.nanoTime());

    /** Makes a random source and prints its seed. */
    private SplittableRandom random(String what) {
        System.out.println(what + ": -Djvrpc.seed=" + seed);
        return new SplittableRandom(seed);
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
        TestServer server = serve(newAddress(), builder -> builder.idle(idle));
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
        Await.until("all one-way calls", () -> ticks() == count);
        assertEquals(0, ticksOutOfOrder());
    }

    @Test
    void oneWayCallsAreHeldBackByASlowHandlerAndNoneIsLost() {
        tellServer(side -> side.impl.tickNs = 100_000);
        Calls calls = connect(serve(), builder -> builder.slots(4)).stub(Calls.class);
        int credits = Protocol.CALLS.oneWayCredits(4);
        int count = 5000 / slower();
        long most = 0;
        for (int i = 0; i < count; i++) {
            calls.tick(i);
            if (i % credits == 0) { // to look takes time, in which they are handled
                most = Math.max(most, i + 1 - ticks()); // a handler counts before its credit goes back
            }
        }
        assertTrue(most > credits / 2 && most <= credits, "in flight at most=" + most + " credits=" + credits);
        Await.until("all one-way calls", () -> ticks() == count);
        assertEquals(0, ticksOutOfOrder());
        assertEquals(3, calls.add(1, 2));
    }

    @Test
    void oneWayCallsToABlockedServerEndByTheirDeadlineAndOthersGoOnAfterwards() {
        TestServer server = serve();
        RpcClient client = connect(
                server, builder -> builder.slots(2).deadline(Duration.ofMillis(500L * slower())));
        Calls calls = opened(client, CallOptions.DEFAULT);
        Calls patient = opened(client, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(30)));
        RpcClient other = connect(server);
        CompletableFuture<Long> blocked = async(other).hangLight(1);
        Await.until("the handler", () -> hanging() == 1);
        String why = failsWith(Status.DEADLINE_EXCEEDED, () -> {
            for (int i = 0; i < 1000; i++) {
                calls.tick(i);
            }
        });
        assertTrue(why.contains("one-way"), why);
        openGate();
        assertEquals(1L, Await.outcome(blocked));
        assertEquals(3, patient.add(1, 2));
        assertEquals(0, ticksOutOfOrder());
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
        TestServer server = serve();
        String address = clientAddress(server.address());
        tellServer(side -> {
            Calls inner = side.keep(RpcClient.connect(address)).stub(Calls.class);
            side.impl.callBack = depth -> 1 + (depth > 1 ? inner.callBack(depth - 1) : inner.add(0, 0));
        });
        Calls calls = connect(server).stub(Calls.class);
        for (int i = 0; i < 100; i++) {
            assertEquals(3, calls.callBack(3));
        }
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void noWakeUpIsLostWhateverThePauses(IdleStrategy idle) {
        SplittableRandom random = random("noWakeUpIsLost");
        TestServer server = serve(newAddress(), builder -> builder.idle(idle));
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
        TestServer server = serve();
        Map<Object, Integer> ends = new HashMap<>();
        List<Race> races = new ArrayList<>();
        for (int round = 0; round < Math.max(6, 30 / slower()); round++) {
            How how = How.values()[round % 3];
            int slots = 2 + random.nextInt(32);
            long deadlineNs = how == How.HASTY ? slower() * (50_000L + random.nextInt(3_000_000)) : Await.BOUND_NS;
            Race race = new Race("seed=" + seed + " round=" + round + " " + how + " slots=" + slots + " deadlineNs="
                    + deadlineNs);
            races.add(race);
            race.explain(() -> race(race, server, slots, deadlineNs, how, random, ends));
        }
        races.forEach(race -> race.explain(() -> race.all().forEach(call -> assertTrue(call.isOverOnce(),
                () -> "it ended, or its end was told, again: " + call))));
        assertEquals(Set.of(Status.OK, Status.CANCELLED, Status.DEADLINE_EXCEEDED, Status.UNAVAILABLE), ends.keySet(),
                ends::toString);
    }

    /** What ends calls, besides answers and cancellations here and there, and so how they may end. */
    private enum How {
        HASTY(Status.DEADLINE_EXCEEDED),
        CLOSED(Status.UNAVAILABLE),
        CANCELLED(Status.CANCELLED);

        private final List<Status> ends;

        How(Status end) {
            ends = List.of(Status.OK, Status.CANCELLED, end);
        }
    }

    private void race(Race race, TestServer server, int slots, long deadlineNs, How how, SplittableRandom random,
            Map<Object, Integer> ends) {
        RpcClient client = connect(server, builder -> builder.slots(slots).intercept((call, next) -> {
            call.whenEnded(race.current()::told);
            next.proceed();
        }));
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class,
                CallOptions.DEFAULT.withDeadlineAfter(Duration.ofNanos(deadlineNs)));
        List<RacedCall> calls = race.calls();
        // A slow machine makes fewer: the first one's handler and JUnit wait for the end of it all.
        for (int i = 0; i < 200 && race.tookNs() < Await.BOUND_NS / 15; i++) {
            begin(race, async, how, i == 0 ? -1 : random.nextInt(4), i);
            if (random.nextInt(4) == 0 && calls.size() > 1) {
                calls.get(random.nextInt(1, calls.size())).cancel();
            }
        }
        if (how == How.CLOSED) {
            client.close(); // what has not ended ends by it, the first call at least
        } else if (how == How.CANCELLED) {
            calls.get(0).cancel();
        }
        for (RacedCall call : calls) {
            Object end = call.end(Await.outcome(call.future()));
            Await.until("the end of a call to be told", call::isOver);
            assertNull(call.fault(end, how.ends), call::toString);
            ends.merge(end, 1, Integer::sum);
        }
    }

    /** Begins a call, if there is a slot in its time. */
    private static void begin(Race race, CallsAsync async, How how, int kind, int i) {
        byte[] body = Bytes.of(kind == 2 ? i * 100 : i, i);
        RacedCall call = switch (kind) {
            case -1 -> race.begin("untilCancelled", "none");
            case 0 -> race.begin("add", i + 1L);
            case 1 -> race.begin("echoHeavy", body);
            case 2 -> race.begin("echo", body);
            default -> race.begin("echoLater", body);
        };
        try {
            call.begun(switch (kind) {
                case -1 -> async.untilCancelled();
                case 0 -> async.add(i, 1).thenApply(sum -> sum);
                case 1 -> async.echoHeavy(body);
                case 2 -> async.echo(body);
                default -> async.echoLater(body);
            });
            race.keep();
        } catch (RpcException e) {
            call.refused(e);
            assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
            assertSame(How.HASTY, how, "no slot came free for a call that had time");
        }
    }

    @Test
    void synchronousCallsThatRaceWithTheirDeadlinesNeverGetAnAnswerOfAnother() {
        TestServer server = serve();
        RpcClient client = connect(server, builder -> builder.slots(3));
        Calls calls = client.stub(Calls.class);
        Calls hasty = client.stub(Calls.class,
                CallOptions.DEFAULT.withDeadlineAfter(Duration.ofNanos(15_000)));
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
