package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** What a failure says of whether the call may have run, against what the server counted. */
public abstract class MayHaveRunContract extends WorkContract {

    /** Of calls; a server's clock is this process's. */
    private static final Duration BRIEF = Duration.ofMillis(30);

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger kept = new AtomicInteger();
    private volatile long keptNs;

    /** Fails where a failure says that a call did not run that did. */
    private static void agree(RpcException e, int runs) {
        if (!e.mayHaveRun() && runs > 0) {
            throw new AssertionError("is said not to have run, and ran times=" + runs + ": " + e);
        }
    }

    private void didNotRun(Status status, Object outcome, long key) {
        RpcException e = assertInstanceOf(RpcException.class, outcome);
        assertEquals(status, e.status(), e.getMessage());
        assertEquals(0, work.runs(key), e.getMessage());
        assertEquals(false, e.mayHaveRun(), e.getMessage());
    }

    private void mayHaveRun(Status status, Object outcome, long key, int runs) {
        RpcException e = assertInstanceOf(RpcException.class, outcome);
        assertEquals(status, e.status(), e.getMessage());
        assertEquals(runs, work.runs(key), e.getMessage());
        assertTrue(e.mayHaveRun(), e.getMessage());
        agree(e, work.runs(key));
    }

    private static Object failure(org.junit.jupiter.api.function.Executable call) {
        return assertThrows(RpcException.class, call);
    }

    /** An executor that keeps its tasks, or refuses them. */
    private final class Keeping extends AbstractExecutorService {

        private final boolean refuses;

        Keeping(boolean refuses) {
            this.refuses = refuses;
        }

        @Override
        public void execute(Runnable task) {
            if (refuses) {
                throw new RejectedExecutionException("full");
            }
            keptNs = System.nanoTime();
            tasks.add(task);
            kept.incrementAndGet();
        }

        @Override
        public void shutdown() {
        }

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Test
    void aFailureThatDeniesARunWhichTheServerCountedIsFound() {
        RpcException wrong = RpcException.notRun(Status.UNAVAILABLE, "planted");
        agree(wrong, 0);
        assertThrows(AssertionError.class, () -> agree(wrong, 1));
    }

    @Test
    void withoutAServerNothingRuns() {
        RpcServer server = serve();
        RpcClient client = connect(server);
        Work calls = client.stub(Work.class);
        WorkAsync async = async(client);
        assertEquals(1, calls.get(1));
        server.close();
        Await.until("the client to know", () -> !client.isConnected());
        didNotRun(Status.UNAVAILABLE, failure(() -> calls.put(2)), 2);
        didNotRun(Status.UNAVAILABLE, failure(() -> async.put(2)), 2);
        didNotRun(Status.UNAVAILABLE, failure(() -> calls.tell(2, new byte[1])), 2);
        client.close();
        didNotRun(Status.UNAVAILABLE, failure(() -> calls.put(2)), 2);
    }

    @Test
    void aCallThatFindsNoSlotInItsTimeDidNotRun() {
        RpcServer server = serve();
        work.script = run -> work.hang();
        RpcClient client = connect(server, builder -> builder.slots(1));
        Work brief = client.stub(Work.class, CallOptions.DEFAULT.withDeadlineAfter(BRIEF));
        CompletableFuture<Long> first = async(client).putHeavy(1);
        Await.until("the handler", () -> work.hanging.get() == 1);
        didNotRun(Status.DEADLINE_EXCEEDED, failure(() -> brief.put(2)), 2);
        work.openGate();
        assertEquals(1L, Await.outcome(first));
    }

    @Test
    void aCallThatAFullQueueOrAnExecutorRefusesDidNotRun() {
        RpcServer full = serve(newAddress(), builder -> builder.executor(new Keeping(false)).queuedCalls(1));
        RpcClient client = connect(full);
        CompletableFuture<Long> first = async(client).putHeavy(1);
        Await.until("the first to wait", () -> !tasks.isEmpty());
        didNotRun(Status.RESOURCE_EXHAUSTED, failure(() -> client.stub(Work.class).putHeavy(2)), 2);
        didNotRun(Status.RESOURCE_EXHAUSTED, Await.outcome(async(client).putHeavy(2)), 2);
        runTasks();
        assertEquals(1L, Await.outcome(first));
        RpcServer refusing = serve(newAddress(), builder -> builder.executor(new Keeping(true)));
        didNotRun(Status.UNAVAILABLE, failure(() -> connect(refusing).stub(Work.class).putHeavy(3)), 3);
    }

    @Test
    void aCallWhoseTimeWasOverBeforeItsTurnSaysThatItMayHaveRun() {
        RpcClient client = connect(serve(newAddress(), builder -> builder.executor(new Keeping(false))));
        Await.inTime("the call to come to its server", BRIEF, time -> {
            int before = kept.get();
            Work brief = client.stub(Work.class, CallOptions.DEFAULT.withDeadlineAfter(time));
            Object outcome = failure(() -> brief.putHeavy(1));
            CompletableFuture<Long> patient = async(client).putHeavy(2);
            Await.until("what comes later to run", () -> {
                if (System.nanoTime() - keptNs > time.toNanos()) { // of whatever was kept the time is over
                    runTasks();
                }
                return patient.isDone();
            });
            assertEquals(2L, Await.outcome(patient));
            if (kept.get() - before < 2) {
                return false;
            }
            mayHaveRun(Status.DEADLINE_EXCEEDED, outcome, 1, 0); // the client cannot know
            return true;
        });
    }

    @Test
    void aCallThatADrainingServerFailsDidNotRunAndThoseBeforeItsWordDid() {
        RpcServer server = serve();
        work.script = run -> work.hang();
        WorkAsync calls = async(connect(server, builder -> builder.initialSlots(64)));
        List<CompletableFuture<Long>> all = new ArrayList<>();
        all.add(calls.put(0));
        Await.until("the handler", () -> work.hanging.get() == 1);
        for (int i = 1; i < 20; i++) {
            all.add(calls.put(i));
        }
        server.shutdown();
        work.openGate();
        int ran = 0;
        for (int i = 0; i < 20; i++) {
            Object outcome = Await.outcome(all.get(i));
            if (outcome instanceof RpcException) {
                didNotRun(Status.UNAVAILABLE, outcome, i);
            } else {
                assertEquals((long) i, outcome);
                ran++;
            }
        }
        assertTrue(ran > 0, "none ran of those that were sent before the client was told");
    }

    @Test
    void aCallWhoseHandlerFailsMayHaveRunWhateverItsHandlerSays() {
        RpcServer server = serve();
        RpcClient client = connect(server);
        Work calls = client.stub(Work.class);
        work.script = run -> {
            throw RpcException.notRun(Status.UNAVAILABLE, "of a call that the handler made");
        };
        mayHaveRun(Status.UNAVAILABLE, failure(() -> calls.put(1)), 1, 1);
        mayHaveRun(Status.UNAVAILABLE, failure(() -> calls.putHeavy(2)), 2, 1);
        mayHaveRun(Status.UNAVAILABLE, Await.outcome(async(client).put(3)), 3, 1);
        mayHaveRun(Status.UNAVAILABLE, Await.outcome(calls.getLater(4)), 4, 1);
        work.script = run -> {
            throw new IllegalStateException("boom");
        };
        mayHaveRun(Status.UNKNOWN, failure(() -> calls.put(5)), 5, 1);
        assertEquals(Status.UNKNOWN, failsWith(Status.UNKNOWN, () -> calls.putHeavy(6)).status());
    }

    @Test
    void aCallWhoseServerDiesUnderItMayHaveRun() {
        RpcServer server = serve();
        work.script = run -> work.hang();
        RpcClient client = connect(server);
        CompletableFuture<Long> lost = async(client).putHeavy(1);
        Await.until("the handler", () -> work.hanging.get() == 1);
        CompletableFuture<Boolean> stop = Await.start(() -> {
            server.shutdownNow();
            return true;
        });
        mayHaveRun(Status.UNAVAILABLE, Await.outcome(lost), 1, 1);
        work.openGate();
        Await.join(stop);
    }

    @Test
    void aCallThatIsTooLongForTheServerDidNotRun() {
        RpcServer server = serve(newAddress(), builder -> builder.maxBodyBytes(1 << 20));
        RpcClient client = connect(server);
        Work calls = client.stub(Work.class);
        didNotRun(Status.RESOURCE_EXHAUSTED, failure(() -> calls.echo(1, new byte[2 << 20])), 1);
        didNotRun(Status.RESOURCE_EXHAUSTED, failure(() -> calls.tell(2, new byte[1 << 16])), 2);
        assertEquals(3, calls.get(3));
    }

    @Test
    void aCallThatEndsByItsDeadlineInTheHandlerMayHaveRun() {
        RpcServer server = serve();
        RpcClient client = connect(server);
        AtomicLong key = new AtomicLong();
        Await.inTime("the handler to begin", BRIEF, time -> {
            Work brief = client.stub(Work.class, CallOptions.DEFAULT.withDeadlineAfter(time));
            CountDownLatch gate = new CountDownLatch(1);
            work.script = run -> Await.latch("the gate", gate);
            long tried = key.incrementAndGet();
            Object outcome = failure(() -> brief.put(tried));
            boolean began = work.runs(tried) == 1;
            if (began) {
                mayHaveRun(Status.DEADLINE_EXCEEDED, outcome, tried, 1);
            }
            gate.countDown();
            return began;
        });
    }
}
