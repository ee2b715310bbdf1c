package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.client.ClientAudit;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Third;

/** A call that ends OK has run once, and one that fails at most once, whatever ends the connections of its client. */
class OnceTest {

    private static final int THREADS = 4;

    private final Map<Long, Integer> runs = new ConcurrentHashMap<>();
    private final Map<Status, Integer> ends = new ConcurrentHashMap<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    private RpcServer serve() {
        return RpcServer.builder().bind(ShmFolder.address()).service(Third.class, number -> {
            runs.merge(number, 1, Integer::sum);
            return ~number;
        }).start();
    }

    private List<CompletableFuture<Integer>> callers(RpcClient client) {
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            long first = t * 1_000_000_000L;
            callers.add(Await.start(() -> call(client, first)));
        }
        return callers;
    }

    private int call(RpcClient client, long first) {
        int calls = 0;
        Third third = null;
        while (!over.get()) {
            long number = first + calls++;
            Status end = Status.OK;
            try {
                third = third == null ? client.stub(Third.class) : third;
                assertEquals(~number, third.sum(number));
                answered.incrementAndGet();
            } catch (RpcException e) {
                assertEquals(Status.UNAVAILABLE, e.status(), e.getMessage());
                end = e.status();
            }
            int run = runs.getOrDefault(number, 0);
            assertTrue(end == Status.OK ? run == 1 : run <= 1, number + " ended " + end + " and ran times=" + run);
            ends.merge(end, 1, Integer::sum);
        }
        return calls;
    }

    private void end(List<CompletableFuture<Integer>> callers) {
        over.set(true);
        int calls = 0;
        for (CompletableFuture<Integer> caller : callers) {
            calls += Await.join(caller);
        }
        assertEquals(calls, ends.values().stream().mapToInt(count -> count).sum());
        assertTrue(runs.values().stream().allMatch(count -> count == 1), "a call ran twice, behind its end");
    }

    @Test
    void whereTheConnectionBreaksAndTheServerLives() {
        try (RpcServer server = serve(); RpcClient client = RpcClient.connect(server.address())) {
            List<CompletableFuture<Integer>> callers = callers(client);
            for (int i = 0; i < 20; i++) {
                int before = answered.get();
                Await.until("calls to go on", () -> answered.get() > before + 50);
                ClientAudit.breakOff(Cores.of(client));
            }
            end(callers);
            assertTrue(ends.getOrDefault(Status.UNAVAILABLE, 0) > 0, "no call met a broken connection: " + ends);
        }
    }

    @Test
    void whereAServerDrainsWhileAllGoOnCalling() throws InterruptedException {
        try (RpcServer server = serve(); RpcClient client = RpcClient.connect(server.address())) {
            List<CompletableFuture<Integer>> callers = callers(client);
            Await.until("calls", () -> answered.get() > 500);
            server.shutdown();
            assertTrue(server.awaitTermination(Duration.ofNanos(Await.BOUND_NS)), "it never drains");
            Await.until("calls to be refused", () -> ends.getOrDefault(Status.UNAVAILABLE, 0) > THREADS);
            end(callers);
            assertEquals(runs.size(), answered.get(), "calls that a draining server ran and did not answer");
        }
    }
}
