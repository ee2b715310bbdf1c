package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.SilentServer;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;

/** A call has one deadline, from its beginning to its end: each of its waits takes what those before left. */
class OneDeadlineTest {

    private static final long LIMIT_NS = 60_000_000_000L;
    private static final long HELD_UP_NS = 300_000_000;
    private final CallsImpl impl = new CallsImpl();
    private final String address = ShmFolder.address();
    private final RpcServer server =
            RpcServer.builder().bind(address).service(Calls.class, impl).context(true).start();

    @AfterEach
    void close() {
        impl.openGate();
        server.shutdownNow();
    }

    private RpcClient connect(int slots) {
        return RpcClient.builder(address).slots(slots).deadline(Duration.ofNanos(LIMIT_NS)).connect();
    }

    /** Begins a call; says on which thread before. */
    private static CompletableFuture<Long> remaining(Calls calls, CompletableFuture<Thread> caller) {
        return Await.start(() -> {
            caller.complete(Thread.currentThread());
            return calls.remainingHeavyNs();
        });
    }

    private static void holdUp(CompletableFuture<Thread> caller) {
        Thread thread = Await.join(caller);
        Await.until("the call to wait", () -> thread.getState() == Thread.State.TIMED_WAITING);
        long fromNs = System.nanoTime();
        Await.until("time to pass", () -> System.nanoTime() - fromNs > HELD_UP_NS);
    }

    private static void wasToldTheRest(CompletableFuture<Long> call) {
        long toldNs = Await.join(call);
        assertTrue(toldNs <= LIMIT_NS - HELD_UP_NS / 2, "the server was told ns=" + toldNs);
    }

    @Test
    void theServerIsToldWhatTheWaitForASlotLeft() {
        try (RpcClient client = connect(1)) {
            Calls calls = client.stub(Calls.class);
            CompletableFuture<Long> first = client.asyncStub(Calls.class, CallsAsync.class).hang(1);
            CompletableFuture<Thread> caller = new CompletableFuture<>();
            CompletableFuture<Long> call = remaining(calls, caller);
            holdUp(caller);
            impl.openGate();
            wasToldTheRest(call);
            assertEquals(1L, Await.outcome(first));
        }
    }

    @Test
    void theServerIsToldWhatTheWaitForTheSessionLeft() {
        try (RpcClient client = connect(4)) {
            Calls calls = client.stub(Calls.class);
            Await.until("the lock", Cores.of(client).session()::tryLock);
            CompletableFuture<Thread> caller = new CompletableFuture<>();
            CompletableFuture<Long> call = remaining(calls, caller);
            holdUp(caller);
            Cores.of(client).session().unlock();
            wasToldTheRest(call);
        }
    }

    @Test
    void theServerIsToldWhatTheWaitForAConnectionLeft() {
        try (RpcClient client = connect(4)) {
            Calls patient = client.stub(Calls.class, CallOptions.DEFAULT.withWaitForReady());
            server.shutdownNow();
            Await.until("the client to notice", () -> !client.isConnected());
            CompletableFuture<Thread> caller = new CompletableFuture<>();
            CompletableFuture<Long> call = remaining(patient, caller);
            holdUp(caller);
            try (RpcServer second =
                    RpcServer.builder().bind(address).service(Calls.class, impl).context(true).start()) {
                wasToldTheRest(call);
                assertEquals(address, second.address());
            }
        }
    }

    @Test
    void aCallWhoseTimeIsOverBeforeItIsSentIsNotSent() {
        try (RpcClient client = RpcClient.builder(address).intercept((call, next) -> {
            long fromNs = System.nanoTime();
            Await.until("the deadline", () -> System.nanoTime() - fromNs > 30_000_000);
            assertTrue(call.deadlineNs() < 0, "ns=" + call.deadlineNs());
            next.proceed();
        }).connect()) {
            Calls calls = client.stub(Calls.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(20)));
            RpcException e = assertThrows(RpcException.class, calls::nothing);
            assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
            assertEquals(0, impl.calls.get());
        }
    }

    @Test
    void anInterceptorMayGiveACallMoreTime() {
        AtomicLong leftNs = new AtomicLong();
        try (RpcClient client = RpcClient.builder(address).deadline(Duration.ofSeconds(1)).intercept((call, next) -> {
            leftNs.set(call.deadlineNs());
            call.deadlineNs(LIMIT_NS);
            next.proceed();
        }).connect()) {
            long toldNs = client.stub(Calls.class).remainingNs();
            assertTrue(toldNs > LIMIT_NS / 2 && toldNs <= LIMIT_NS, "ns=" + toldNs);
            assertTrue(leftNs.get() > 0 && leftNs.get() <= 1_000_000_000, "ns=" + leftNs);
        }
    }

    @Test
    void aStubIsOpenedInTheTimeOfTheClientWhichItsRefusalNames() {
        try (RpcClient client = RpcClient.builder(address).deadline(Duration.ofMillis(200)).connect()) {
            CompletableFuture<Long> hung = client.asyncStub(Calls.class, CallsAsync.class).hangLight(1);
            Await.until("the poller to be held up", () -> impl.hanging.get() == 1);
            CallOptions brief = CallOptions.DEFAULT.withDeadlineAfter(Duration.ofNanos(1000));
            RpcException e = assertThrows(RpcException.class, () -> client.stub(Calls.class, brief));
            assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
            assertTrue(e.getMessage().startsWith("not opened in 200000 us: "), e.getMessage());
            impl.openGate();
            Await.outcome(hung);
        }
    }

    @Test
    void aCallThatOpensItsServiceHoldsUpNobodyWithLessTime() {
        RpcClient client = connect(64); // as many as the silent server grants
        Calls calls = client.stub(Calls.class);
        calls.nothing();
        server.shutdownNow();
        Await.until("the client to notice", () -> !client.isConnected());
        try (SilentServer silent = new SilentServer(address)) {
            Await.until("the client to connect again", client::isConnected);
            CompletableFuture<Object> patient = Await.start(() ->
                    assertThrows(RpcException.class, () -> calls.hang(1)));
            Await.until("the first call to ask " + silent.address(), () -> Cores.of(client).session().unattended() > 0
                    || Cores.of(client).events().turn().isLed());
            CompletableFuture<RpcException> brief = Await.start(() ->
                    assertThrows(RpcException.class, () -> calls.hangBriefly(2)));
            assertEquals(Status.DEADLINE_EXCEEDED, Await.join(brief).status());
            assertFalse(patient.isDone(), "the brief call ended behind the patient one");
            client.close();
            Await.join(patient);
        }
    }
}
