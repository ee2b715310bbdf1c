package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;

class DaemonPoolTest {

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicBoolean done = new AtomicBoolean();

    private Runnable untilTheGateOpens() {
        return () -> {
            Await.latch("the gate", gate);
            done.set(true);
        };
    }

    @Test
    void itsThreadsAreNumberedAndNotMoreThanAsked() {
        Set<String> made = new TreeSet<>();
        ExecutorService pool = DaemonPool.make((task, name) -> {
            made.add(name);
            return Threads.DAEMONS.make(task, name);
        }, 2, "jvrpc-pool-");
        for (int i = 0; i < 5; i++) {
            DaemonPool.execute(pool, untilTheGateOpens());
        }
        assertEquals(Set.of("jvrpc-pool-1", "jvrpc-pool-2"), made);
        assertTrue(((ThreadPoolExecutor) pool).allowsCoreThreadTimeOut(), "idle threads end");
        gate.countDown();
        DaemonPool.end(pool);
    }

    @Test
    void theEndWaitsForTheWorkThereIsAndTakesNoMore() {
        ExecutorService pool = DaemonPool.make(Threads.DAEMONS, 1, "jvrpc-pool-");
        Thread ender = Thread.currentThread();
        DaemonPool.execute(pool, untilTheGateOpens());
        CompletableFuture<Boolean> opener = Await.start(() -> {
            Await.until("the wait", () -> pool.isShutdown() && ender.getState() == Thread.State.TIMED_WAITING);
            gate.countDown();
            return true;
        });
        DaemonPool.end(pool);
        assertTrue(done.get());
        assertTrue(Await.join(opener));
        RpcException e = assertThrows(RpcException.class, () -> DaemonPool.execute(pool, () -> { }));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertEquals("server is shutting down", e.getMessage());
    }

    @Test
    void whoIsInterruptedWhileItWaitsKeepsTheInterrupt() {
        ExecutorService pool = DaemonPool.make(Threads.DAEMONS, 1, "jvrpc-pool-");
        DaemonPool.execute(pool, untilTheGateOpens());
        Thread.currentThread().interrupt();
        DaemonPool.end(pool);
        assertTrue(Thread.interrupted());
        assertFalse(done.get());
        assertTrue(pool.isShutdown());
        gate.countDown();
    }

    @Test
    void workRunsOnAThreadOfThePool() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        Thread[] made = new Thread[1];
        ExecutorService pool = DaemonPool.make((task, name) -> made[0] = Threads.DAEMONS.make(task, name), 1, "jvrpc-");
        DaemonPool.execute(pool, () -> ran.complete(Thread.currentThread()));
        assertSame(made[0], Await.join(ran));
        DaemonPool.end(pool);
    }
}
