package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.SilentServer;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.invocation.StubCalls;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;
import org.jvrpc.runtime.thread.SpinLock;

/** Threads that are interrupted while they call, as threads in any blocking call may be. */
class InterruptTest {

    /** The wait for the session's lock, which the event thread may have for a moment. */
    private static final String IN_USE = "the session was in use";

    private final CallsImpl impl = new CallsImpl();
    private final RpcServer server =
            RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).context(true).start();
    private final AtomicReference<Thread> caller = new AtomicReference<>();

    @AfterEach
    void close() {
        impl.openGate();
        server.shutdownNow();
    }

    private RpcClient connect(IdleStrategy idle, int slots) {
        return RpcClient.builder(server.address()).idle(idle).slots(slots).connect();
    }

    /** Runs a call on another thread; returns what it failed with, behind whether the thread is still interrupted. */
    private CompletableFuture<String> failing(Runnable call) {
        return Await.start(() -> {
            caller.set(Thread.currentThread());
            RpcException e = assertThrows(RpcException.class, call::run);
            return Thread.currentThread().isInterrupted() + " " + e.status() + " " + e.getMessage();
        });
    }

    /** @param waits one of those that the call may have been in */
    private static void cancelled(CompletableFuture<String> call, String... waits) {
        String how = Await.join(call);
        assertTrue(Stream.of(waits).anyMatch(what -> how.startsWith("true CANCELLED interrupted while " + what)), how);
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void aCallEndsAtOnceAndItsHandlerHearsOfIt(IdleStrategy idle) {
        try (RpcClient client = connect(idle, 4)) {
            Calls calls = client.stub(Calls.class);
            CompletableFuture<String> call = failing(calls::untilCancelled);
            Await.until("the handler", () -> impl.hanging.get() == 1);
            caller.get().interrupt();
            cancelled(call, "waiting for the answer of");
            Await.latch("the handler to see it", impl.cancelSeen);
            assertEquals(3, calls.add(1, 2));
        }
    }

    @Test
    void anInterruptFromBeforeTheCallEndsItsWait() {
        try (RpcClient client = connect(IdleStrategy.ADAPTIVE, 4)) {
            Calls calls = client.stub(Calls.class);
            cancelled(failing(() -> {
                Thread.currentThread().interrupt();
                calls.hang(1);
            }), "waiting for the answer of", IN_USE);
        }
    }

    @Test
    void aHandlerHearsOfItAlsoWhenTheSessionIsInUseAtThatMoment() {
        try (RpcClient client = connect(IdleStrategy.ADAPTIVE, 4)) {
            Calls calls = client.stub(Calls.class);
            CompletableFuture<String> call = failing(calls::untilCancelled);
            Await.until("the handler", () -> impl.hanging.get() == 1);
            Await.until("the lock", Cores.of(client).session()::tryLock);
            try {
                caller.get().interrupt();
                cancelled(call, "waiting for the answer of");
                assertEquals(1, impl.cancelSeen.getCount());
            } finally {
                Cores.of(client).session().unlock();
            }
            Await.latch("the handler to see it", impl.cancelSeen);
        }
    }

    @Test
    void theWaitForASlotEnds() {
        try (RpcClient client = connect(IdleStrategy.ADAPTIVE, 1)) {
            Calls calls = client.stub(Calls.class);
            CompletableFuture<Long> hanging = client.asyncStub(Calls.class, CallsAsync.class).hang(4);
            CompletableFuture<String> call = failing(() -> calls.add(1, 2));
            Await.until("the caller", () -> caller.get() != null);
            caller.get().interrupt();
            cancelled(call, "waiting for a slot");
            impl.openGate();
            assertEquals(4L, Await.outcome(hanging));
        }
    }

    @Test
    void theWaitForTheSessionEnds() {
        try (RpcClient client = connect(IdleStrategy.ADAPTIVE, 4)) {
            Calls calls = client.stub(Calls.class);
            Await.until("the lock", Cores.of(client).session()::tryLock);
            try {
                CompletableFuture<String> call = failing(() -> calls.add(1, 2));
                Await.until("the caller", Cores.of(client).session()::hasWaiters);
                caller.get().interrupt();
                cancelled(call, IN_USE);
            } finally {
                Cores.of(client).session().unlock();
            }
            assertEquals(3, calls.add(1, 2));
        }
    }

    @Test
    void theWaitOfAOneWayCallEndsAndMeanwhileOthersHaveTheSession() {
        try (SilentServer silent = new SilentServer(ShmFolder.address());
                RpcClient client = RpcClient.builder(silent.address()).connect()) {
            ClientSession session = Cores.of(client).session();
            OneWayCredits credits = session.credits();
            CompletableFuture<String> call = failing(() -> {
                ClientSlot slot = session.claim(Deadline.after(Clock.SYSTEM, Long.MAX_VALUE / 4));
                slot.begin(calls(client), CallsService.TICK, 0, null,
                        Deadline.after(Clock.SYSTEM, Long.MAX_VALUE / 4));
                for (int i = 0; i < 10_000; i++) {
                    credits.lockWithCredit(session, slot);
                    credits.take();
                    session.unlock();
                }
            });
            Await.until("the caller", () -> caller.get() != null);
            for (int i = 0; i < 100; i++) {
                Await.until("the lock, turn " + i, session::tryLock);
                session.unlock();
            }
            caller.get().interrupt();
            cancelled(call, "waiting, server takes no more one-way calls", IN_USE);
        }
    }

    private static StubCalls calls(RpcClient client) {
        return new StubCalls(null, CallOptions.DEFAULT, Cores.of(client).settings().deadlineNs());
    }

    @Test
    void aLockThatMustBeHadIsHadAndTheInterruptIsKept() {
        SpinLock lock = new SpinLock(Clock.SYSTEM);
        assertTrue(lock.tryLock());
        CompletableFuture<Boolean> other = Await.start(() -> {
            Thread.currentThread().interrupt();
            lock.lockUninterruptibly();
            return Thread.currentThread().isInterrupted();
        });
        Await.until("a waiter", lock::hasWaiters);
        lock.unlock();
        assertTrue(Await.join(other));
    }

    @Test
    void anInterruptThatACallbackLeftKeepsTheEventThreadFromNoSleep() {
        try (RpcClient client = connect(IdleStrategy.ADAPTIVE, 4)) {
            CompletableFuture<String> thread = new CompletableFuture<>();
            client.asyncStub(Calls.class, CallsAsync.class).hang(1).thenAccept(number -> {
                Thread.currentThread().interrupt();
                thread.complete(Thread.currentThread().getName());
            });
            impl.openGate();
            String name = Await.join(thread);
            assertTrue(name.startsWith("jvrpc-client-"), name);
            Await.asleep(name);
        }
    }

    @Test
    void aWaitForAConnectionEnds() {
        try (RpcClient client = connect(IdleStrategy.ADAPTIVE, 4)) {
            Calls patient = client.stub(Calls.class, CallOptions.DEFAULT.withWaitForReady()
                    .withDeadlineAfter(Duration.ofMinutes(10)));
            server.shutdownNow();
            Await.until("the client to notice", () -> !client.isConnected());
            CompletableFuture<String> call = failing(patient::nothing);
            Await.until("the caller", () -> caller.get() != null);
            caller.get().interrupt();
            cancelled(call, "waiting for " + client.address());
        }
    }
}
