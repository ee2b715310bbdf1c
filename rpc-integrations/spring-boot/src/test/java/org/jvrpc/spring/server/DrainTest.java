package org.jvrpc.spring.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.spring.JvrpcServers;
import org.jvrpc.spring.JvrpcService;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.spring.orders.Slow;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.springframework.context.ConfigurableApplicationContext;

class DrainTest {

    private static final CountDownLatch NEVER = new CountDownLatch(1);
    /** A thread each: the common pool may have one alone. */
    private static final Executor THREADS = task -> new Thread(task).start();

    /** Works until it may end. */
    @JvrpcService
    static class SlowBean implements Slow {
        final CountDownLatch begun = new CountDownLatch(1);
        volatile CountDownLatch mayEnd = new CountDownLatch(1);

        @Override
        public String work(String what) {
            begun.countDown();
            try {
                if (!mayEnd.await(60, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nobody let it end");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
            return what + " is done";
        }
    }

    private static CompletableFuture<Void> closing(ConfigurableApplicationContext context) {
        return CompletableFuture.runAsync(context::close, THREADS);
    }

    @Test
    void callsInProgressAreAnsweredAndNewOnesRefused() {
        String address = SharedMemoryFolder.freshAddress();
        Contexts.of(SlowBean.class, GreeterBean.class)
                .withPropertyValues("jvrpc.server.addresses=" + address)
                .run(context -> {
                    SlowBean slow = context.getBean(SlowBean.class);
                    try (RpcClient client = RpcClient.builder(address).reconnect(false).connect()) {
                        Greeter greeter = client.stub(Greeter.class);
                        Slow stub = client.stub(Slow.class);
                        CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> stub.work("it"), THREADS);
                        assertTrue(slow.begun.await(60, TimeUnit.SECONDS));
                        CompletableFuture<Void> closed = closing(context.getSourceApplicationContext(
                                ConfigurableApplicationContext.class));
                        Status[] refused = new Status[1];
                        Waits.until("a call to be refused", () -> {
                            try {
                                greeter.greet("you");
                                return false;
                            } catch (RpcException e) {
                                refused[0] = e.status();
                                return true;
                            }
                        });
                        assertEquals(Status.UNAVAILABLE, refused[0]);
                        assertFalse(call.isDone());
                        assertFalse(closed.isDone());
                        slow.mayEnd.countDown();
                        assertEquals("it is done", call.get(60, TimeUnit.SECONDS));
                        closed.get(60, TimeUnit.SECONDS);
                    }
                });
    }

    @Test
    void whatDoesNotEndInTimeIsBrokenOff() {
        String address = SharedMemoryFolder.freshAddress();
        Contexts.of(SlowBean.class)
                .withPropertyValues("jvrpc.server.addresses=" + address, "jvrpc.server.shutdown-timeout=300ms")
                .run(context -> {
                    SlowBean slow = context.getBean(SlowBean.class);
                    slow.mayEnd = NEVER;
                    try (RpcClient client = RpcClient.builder(address).reconnect(false).connect()) {
                        Slow stub = client.stub(Slow.class);
                        CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> stub.work("it"), THREADS);
                        assertTrue(slow.begun.await(60, TimeUnit.SECONDS));
                        closing(context.getSourceApplicationContext(ConfigurableApplicationContext.class))
                                .get(60, TimeUnit.SECONDS);
                        Throwable failure =
                                assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS)).getCause();
                        assertEquals(Status.UNAVAILABLE, ((RpcException) failure).status());
                    }
                });
    }

    @Test
    void underLoadEveryCallIsAnsweredOrDidNotRun() {
        String address = SharedMemoryFolder.freshAddress();
        Contexts.of(GreeterBean.class).withPropertyValues("jvrpc.server.addresses=" + address).run(context -> {
            assertThat(context.getBean(JvrpcServers.class).address()).isEqualTo(address);
            AtomicInteger answered = new AtomicInteger();
            List<RpcException> refusals = new ArrayList<>();
            try (RpcClient client = RpcClient.builder(address).reconnect(false).connect()) {
                Greeter stub = client.stub(Greeter.class);
                CompletableFuture<?>[] callers = new CompletableFuture<?>[4];
                for (int i = 0; i < callers.length; i++) {
                    callers[i] = CompletableFuture.runAsync(() -> {
                        try {
                            while (true) {
                                stub.greet("you");
                                answered.incrementAndGet();
                            }
                        } catch (RpcException e) {
                            synchronized (refusals) {
                                refusals.add(e);
                            }
                        }
                    }, THREADS);
                }
                Waits.until("a hundred answers", () -> answered.get() > 100);
                closing(context.getSourceApplicationContext(ConfigurableApplicationContext.class))
                        .get(60, TimeUnit.SECONDS);
                CompletableFuture.allOf(callers).get(60, TimeUnit.SECONDS);
            }
            assertThat(refusals).hasSize(4).allSatisfy(refusal -> {
                assertEquals(Status.UNAVAILABLE, refusal.status());
                assertFalse(refusal.mayHaveRun());
            });
        });
    }
}
