package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;

/** Heavy calls that wait for an executor which is busy. */
public abstract class HeavyContract extends RpcContract {

    /** Credits of a client with so many slots, and the calls that a busy link may hold besides. */
    private static final int MOST_UNDER_WAY = 64;

    /** Runs what waits for the executor; returns how many tasks that were. */
    private int runTasks() {
        return askServer(side -> side.held.run());
    }

    /** Runs what waits for the executor; returns how many one-way calls were made so far. */
    private long ticksOfTasks() {
        runTasks();
        return ticks();
    }

    private int queued() {
        return askServer(side -> side.held.size());
    }

    /** Starts a server that notes the session of each heavy call that is run. */
    private TestServer serveAndNoteHeavyCalls() {
        return serve(newAddress(), (builder, side) -> builder.executor(side.held).intercept((call, next) -> {
            if (call.method().heavy()) {
                side.note(call.sessionId());
            }
            next.proceed();
        }));
    }

    @Test
    void oneWayCallsAreHeldBackWhileTheExecutorIsBusyAndNoneIsLost() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.executor(side.held));
        RpcClient client = connect(server, builder -> builder.slots(4).deadline(Duration.ofMillis(300L * slower())));
        Calls brief = opened(client, CallOptions.DEFAULT);
        Calls calls = opened(client, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(30)));
        int[] sent = new int[1];
        String why = failsWith(Status.DEADLINE_EXCEEDED, () -> {
            for (; sent[0] < 10_000; sent[0]++) {
                brief.tickHeavy(sent[0]);
            }
        });
        assertTrue(why.contains("one-way"), why);
        assertTrue(sent[0] <= MOST_UNDER_WAY, "calls queued at the server: " + sent[0]);
        for (int i = 0; i < 100; i++) {
            assertEquals(i, calls.add(i, 0), "a light call of the same client");
        }
        Await.until("all one-way calls, sent=" + sent[0] + " run=" + ticks(), () -> ticksOfTasks() == sent[0]);
        CompletableFuture<Boolean> runner = Await.start(() -> {
            Await.until("the rest", () -> ticksOfTasks() == sent[0] + 1000);
            return true;
        });
        for (int i = 0; i < 1000; i++) {
            calls.tickHeavy(i);
        }
        Await.join(runner);
    }

    @Test
    void aClientHasMoreCallsInFlightThanSlotsAtFirst() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.executor(side.held));
        for (int initial : new int[] {1, 4, 64}) {
            RpcClient client = connect(server, builder -> builder.initialSlots(initial));
            List<CompletableFuture<Long>> calls = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                calls.add(async(client).hang(i));
            }
            Await.until("64 calls to be queued", () -> queued() == 64);
            openGate();
            Await.until("all", () -> {
                runTasks();
                return calls.stream().allMatch(CompletableFuture::isDone);
            });
            for (int i = 0; i < 64; i++) {
                assertEquals((long) i, Await.outcome(calls.get(i)));
            }
        }
    }

    @Test
    void oneWayCallsOfAClientThatHasLeftAreMade() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.executor(side.held));
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        for (int i = 0; i < 20; i++) {
            calls.tickHeavy(i);
        }
        Await.until("all to be queued", () -> queued() == 20);
        client.close();
        assertEquals(3, connect(server).stub(Calls.class).add(1, 2));
        Await.until("all", () -> ticksOfTasks() == 20);
    }

    @Test
    void theQueueIsBoundedAndOneCallMoreIsRefused() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.executor(side.held).queuedCalls(5));
        RpcClient client = connect(server);
        List<CompletableFuture<byte[]>> five = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            five.add(async(client).echoHeavy(new byte[i]));
        }
        Calls calls = client.stub(Calls.class);
        for (int i = 0; i < 3; i++) {
            String why = failsWith(Status.RESOURCE_EXHAUSTED, () -> calls.echoHeavy(new byte[9]));
            assertTrue(why.contains("waiting=5 limit=5"), why);
        }
        assertEquals(3, calls.add(1, 2));
        runTasks();
        for (int i = 0; i < 5; i++) {
            assertEquals(i, ((byte[]) Await.outcome(five.get(i))).length);
        }
        CompletableFuture<byte[]> next = async(client).echoHeavy(new byte[9]);
        Await.until("there is room again", () -> runTasks() >= 0 && next.isDone());
        assertEquals(9, ((byte[]) Await.outcome(next)).length);
    }

    @Test
    void sessionsTakeTurns() {
        TestServer server = serveAndNoteHeavyCalls();
        RpcClient greedy = connect(server);
        RpcClient modest = connect(server);
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(async(greedy).echoHeavy(new byte[i]));
        }
        Await.until("the greedy client's calls", () -> queued() == 50);
        all.add(async(modest).echoHeavy(new byte[50]));
        Await.until("the modest client's call", () -> queued() == 51);
        runTasks();
        for (int i = 0; i <= 50; i++) {
            assertEquals(i, ((byte[]) Await.outcome(all.get(i))).length);
        }
        List<String> ran = notes();
        assertNotEquals(ran.get(0), ran.get(1), () -> "the modest client waited for all calls of the greedy: " + ran);
    }

    @Test
    void callsGivenUpWhileTheyWaitAreNotRun() {
        TestServer server = serveAndNoteHeavyCalls();
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        CompletableFuture<byte[]> kept = async(client).echoHeavy(new byte[1]);
        Await.until("it to be queued", () -> queued() == 1);
        // A slow server may receive a call so late that it does not queue it at all.
        for (long millis = 60; queued() == 1 && millis < 30_000; millis *= 2) {
            CallOptions patience = CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(millis));
            failsWith(Status.DEADLINE_EXCEEDED, () -> client.stub(Calls.class, patience).failHeavy("declared"));
            assertEquals(3, calls.add(1, 2), "what was sent before is received");
        }
        assertEquals(2, queued(), "a call was queued");
        async(client).echoHeavy(new byte[2]).cancel(false);
        assertEquals(3, calls.add(1, 2), "what was sent before is received");
        CompletableFuture<byte[]> last = async(client).echoHeavy(new byte[3]);
        Await.until("the last to run", () -> runTasks() >= 0 && last.isDone());
        assertEquals(1, ((byte[]) Await.outcome(kept)).length);
        assertEquals(3, ((byte[]) Await.outcome(last)).length);
        assertEquals(2, notes().size(), "ran: " + notes());
        assertEquals(3, connect(server).stub(Calls.class).add(1, 2));
    }

    @Test
    void callersWhoGiveUpHoldNoPlaceInTheQueue() {
        int limit = 5;
        TestServer server = serve(newAddress(), (builder, side) -> builder.executor(side.held).queuedCalls(limit));
        RpcClient fickle = connect(server);
        Calls calls = fickle.stub(Calls.class);
        CompletableFuture<byte[]> kept = async(fickle).echoHeavy(new byte[1]);
        for (int i = 0; i < 10 * limit; i++) {
            async(fickle).echoHeavy(new byte[2]).cancel(false);
            assertEquals(3, calls.add(1, 2), "both are received");
        }
        assertTrue(queued() <= limit, "tasks that the executor has: " + queued());
        List<CompletableFuture<byte[]>> steady = new ArrayList<>();
        for (int i = 1; i < limit; i++) {
            steady.add(async(connect(server)).echoHeavy(new byte[3]));
        }
        Await.until("all to run", () -> runTasks() >= 0 && steady.stream().allMatch(CompletableFuture::isDone));
        for (CompletableFuture<byte[]> each : steady) {
            assertEquals(3, ((byte[]) Await.outcome(each)).length);
        }
        assertEquals(1, ((byte[]) Await.outcome(kept)).length);
    }

    @Test
    void clientsThatLeaveHoldNoPlaceInTheQueue() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.executor(side.held).queuedCalls(5));
        for (int round = 0; round < 3; round++) {
            RpcClient leaves = connect(server);
            for (int i = 0; i < 4; i++) {
                async(leaves).echoHeavy(new byte[i]);
            }
            assertEquals(3, leaves.stub(Calls.class).add(1, 2), "all are received");
            leaves.close();
        }
        RpcClient stays = connect(server);
        List<CompletableFuture<byte[]>> five = new ArrayList<>();
        Await.until("room for five", () -> {
            five.removeIf(CompletableFuture::isCompletedExceptionally);
            while (five.size() < 5) {
                five.add(async(stays).echoHeavy(new byte[5]));
            }
            assertEquals(3, stays.stub(Calls.class).add(1, 2), "they are received, and those refused answered");
            return five.stream().noneMatch(CompletableFuture::isCompletedExceptionally);
        });
        Await.until("all to run", () -> runTasks() >= 0 && five.stream().allMatch(CompletableFuture::isDone));
        for (CompletableFuture<byte[]> each : five) {
            assertEquals(5, ((byte[]) Await.outcome(each)).length);
        }
    }

    @Test
    void anExecutorThatFailsEndsThatCallOnly() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.executor(side.held));
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        for (Error fault : new Error[] {new OutOfMemoryError("no thread"), new StackOverflowError()}) {
            tellServer(side -> side.held.fault = fault);
            String why = failsWith(Status.RESOURCE_EXHAUSTED, () -> calls.echoHeavy(new byte[1]));
            assertTrue(why.contains(fault.getClass().getName()), why);
            for (int i = 0; i < 200; i++) {
                calls.tickHeavy(i); // more than there are credits: each comes back
            }
            tellServer(side -> side.held.fault = null);
            CompletableFuture<byte[]> next = async(client).echoHeavy(new byte[7]);
            Await.until("the next to run", () -> runTasks() >= 0 && next.isDone());
            assertEquals(7, ((byte[]) Await.outcome(next)).length);
        }
        assertTrue(client.isConnected());
    }

    @Test
    void queuedOneWayCallsAreMadeBeforeAServerThatDrainsEnds() throws Exception {
        TestServer server = serve();
        RpcClient client = connect(server, builder -> builder.slots(64));
        Calls calls = client.stub(Calls.class);
        List<CompletableFuture<Long>> hanging = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            hanging.add(async(client).hang(i)); // more than the server's own executor has threads
        }
        Await.until("handlers", () -> hanging() >= 4);
        tellServer(side -> side.impl.tickNs = 2_000_000);
        int count = 50;
        for (int i = 0; i < count; i++) {
            calls.tickHeavy(i);
        }
        assertEquals(3, calls.add(1, 2), "all is received");
        server.shutdown();
        assertFalse(server.awaitTermination(Duration.ofMillis(20)));
        openGate();
        assertTrue(server.awaitTermination(Duration.ofSeconds(30)));
        assertEquals(count, ticks());
        for (int i = 0; i < 32; i++) {
            assertEquals((long) i, Await.outcome(hanging.get(i)));
        }
    }
}
