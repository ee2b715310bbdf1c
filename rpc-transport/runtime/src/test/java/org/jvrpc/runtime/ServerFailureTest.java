package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.Status;
import org.jvrpc.api.health.HealthService;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.contract.Third;
import org.jvrpc.runtime.contract.ThirdService;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;

/** What users' code and clients do wrong ends a call or a session, and neither the server nor its threads. */
class ServerFailureTest {
    private static final int GIVEN_UP = Protocol.CALLS.oneWayCredits(RawClient.SLOTS);


    private final CallsImpl impl = new CallsImpl();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    private <C extends AutoCloseable> C keep(C closeable) {
        open.push(closeable);
        return closeable;
    }

    @AfterEach
    void close() throws Exception {
        impl.openGate();
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    private RpcServer serve(ServerInterceptor interceptor) {
        RpcServer.Builder builder = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl)
                .service(Third.class, number -> number).idle(IdleStrategy.BLOCK).context(true);
        return keep((interceptor == null ? builder : builder.intercept(interceptor)).start());
    }

    private Calls connect(RpcServer server) {
        return keep(RpcClient.connect(server.address())).stub(Calls.class);
    }

    // ---- sessions of messages

    /** Echoes; throws an error at the end of the sessions that sent something of one byte. */
    private static final class Fragile implements MessageHandler {
        private boolean breaks;

        @Override
        public void frame(MessageSession session, ByteBuffer frame) {
            breaks |= frame.remaining() == 1;
            session.send(frame);
        }

        @Override
        public void closed(MessageSession session, Throwable cause) {
            if (breaks) {
                throw new AssertionError("closed");
            }
        }
    }

    private MessageClient talk(String address, int length) {
        AtomicInteger echoes = new AtomicInteger();
        MessageClient client = keep(MessageClient.builder(address, (session, frame) -> echoes.incrementAndGet())
                .connect());
        client.poll();
        client.send(ByteBuffer.allocate(length));
        Await.until("the echo", () -> client.poll() >= 0 && echoes.get() == 1);
        return client;
    }

    @Test
    void anErrorAtTheEndOfAMessageSessionEndsNoOther() {
        MessageServer server = keep(MessageServer.builder().bind(ShmFolder.address()).handler(Fragile::new).start());
        AtomicInteger echoes = new AtomicInteger();
        MessageClient other = keep(MessageClient.builder(server.address(), (session, frame) -> echoes.incrementAndGet())
                .connect());
        other.poll();
        talk(server.address(), 1).close();
        for (int i = 1; i <= 20; i++) {
            other.send(ByteBuffer.allocate(8));
            int expected = i;
            Await.until("the echo of another session", () -> other.poll() >= 0 && echoes.get() == expected);
        }
        talk(server.address(), 2);
    }

    @Test
    void anErrorWhereASessionBeginsLeavesTheServerReachable() {
        AtomicBoolean fails = new AtomicBoolean(true);
        MessageServer server = keep(MessageServer.builder().bind(ShmFolder.address()).handler(() -> {
            if (fails.getAndSet(false)) {
                throw new NoClassDefFoundError("a handler's");
            }
            return new Fragile();
        }).start());
        assertThrows(RuntimeException.class, () -> MessageClient
                .builder(server.address(), new Fragile()).timeout(Duration.ofMillis(500)).connect());
        Await.until("the session to have begun", () -> !fails.get());
        talk(server.address(), 2);
    }

    // ---- calls

    @Test
    void anInterruptThatAHandlerLeavesBehindMeetsNoOtherHandlerAndThePollerSleeps() {
        AtomicBoolean seen = new AtomicBoolean();
        RpcServer server = serve((call, next) -> {
            if (call.method().name().equals("add")) {
                Thread.currentThread().interrupt();
            } else {
                seen.compareAndSet(false, Thread.currentThread().isInterrupted());
            }
            next.proceed();
        });
        Calls calls = connect(server);
        for (int i = 0; i < 5; i++) {
            assertEquals(3, calls.add(1, 2));
            calls.nothing();
        }
        assertFalse(seen.get(), "a handler met the interrupt of another");
        assertEquals(3, calls.add(1, 2));
        Await.asleep("jvrpc-poller-" + server.address().substring("shm://".length()));
    }

    /** An exception that is itself broken. */
    private static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @Test
    void anExceptionWithoutAMessageToBeHadEndsItsCallOnly() {
        RpcServer server = serve((call, next) -> {
            if (call.method().name().startsWith("fail")) {
                throw new Broken();
            }
            next.proceed();
        });
        Calls calls = connect(server);
        for (int i = 0; i < 3; i++) {
            RpcException light = assertThrows(RpcException.class, () -> calls.fail("x"));
            assertEquals(Status.UNKNOWN, light.status(), light.getMessage());
            assertTrue(light.getMessage().contains(Broken.class.getName()), light.getMessage());
            assertEquals(Status.UNKNOWN, assertThrows(RpcException.class, () -> calls.failHeavy("x")).status());
        }
        assertEquals(3, calls.add(1, 2));
    }

    /** A stage that throws where it should take a callback, after it called it or before. */
    private static final class BrokenStage extends CompletableFuture<Integer> {
        private final boolean after;

        BrokenStage(boolean after) {
            this.after = after;
            complete(5);
        }

        @Override
        public CompletableFuture<Integer> whenComplete(BiConsumer<? super Integer, ? super Throwable> action) {
            if (after) {
                super.whenComplete(action);
                super.whenComplete(action);
            }
            throw new AssertionError("whenComplete");
        }
    }

    @Test
    void aStageThatThrowsEndsItsCallOnceAndNoOther() {
        AtomicInteger calls = new AtomicInteger();
        Calls stages = (Calls) java.lang.reflect.Proxy.newProxyInstance(Calls.class.getClassLoader(),
                new Class<?>[] {Calls.class}, (proxy, method, arguments) ->
                        CompletionStage.class.isAssignableFrom(method.getReturnType())
                                ? new BrokenStage(calls.getAndIncrement() % 2 == 0)
                                : method.invoke(impl, arguments));
        RpcServer server = keep(RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, stages).start());
        RpcClient client = keep(RpcClient.connect(server.address()));
        Calls stub = client.stub(Calls.class);
        for (int i = 0; i < 8; i++) {
            Object light = Await.outcome(stubFailLater(stub));
            assertTrue(light.equals(5) || light instanceof RpcException e && e.status() == Status.UNKNOWN, "" + light);
            Object heavy = Await.outcome(stubFailHeavyLater(stub));
            assertTrue(heavy.equals(5) || heavy instanceof RpcException e && e.status() == Status.UNKNOWN, "" + heavy);
            assertEquals(i, stub.add(i, 0));
        }
        assertTrue(client.isConnected());
    }

    private static CompletableFuture<Integer> stubFailLater(Calls stub) {
        try {
            return stub.failLater("x");
        } catch (Calls.Overdrawn e) {
            throw new AssertionError(e);
        }
    }

    private static CompletableFuture<Integer> stubFailHeavyLater(Calls stub) {
        try {
            return stub.failHeavyLater("x");
        } catch (Calls.Overdrawn e) {
            throw new AssertionError(e);
        }
    }

    // ---- deadlines

    @Test
    void aHeavyCallWhoseDeadlineHasPassedIsNotRun() {
        RpcServer server = serve(null);
        RawClient raw = keep(new RawClient(server.address())).connect(server.address());
        int base = raw.open(new CallsService(), 0);
        ByteBuffer body = raw.link().body(1).order(ByteOrder.LITTLE_ENDIAN);
        body.putLong(0, 7); // the argument
        body.putLong(8, 1); // deadline in ns
        body.putInt(16, 0); // no metadata
        for (int i = 1; i <= 3; i++) {
            raw.send(1, RpcHeader.first(RpcHeader.REQUEST, 0, base + CallsService.HANG.index(),
                    RpcHeader.callId(1, i)), RpcHeader.second(8, 0, 12), 20);
            raw.awaitMessage();
            assertEquals(Status.DEADLINE_EXCEEDED, Status.ofCode(RpcHeader.method(raw.link().first())));
        }
        assertEquals(0, impl.hanging.get());
    }

    @Test
    void callsGivenUpWhileAHandlerHeldUpThePollerAreNotRun() {
        RpcServer server = serve(null);
        CompletableFuture<Long> blocker = keep(RpcClient.connect(server.address()))
                .asyncStub(Calls.class, CallsAsync.class).hangLight(1);
        Await.until("the handler", () -> impl.hanging.get() == 1);
        impl.calls.set(0);
        RawClient raw = openBlocked(server);
        assertNotNull(raw);
        impl.openGate();
        assertEquals(1L, Await.outcome(blocker));
        int ended = 0;
        int cancelled = 0;
        while (ended < RawClient.SLOTS - 1) {
            raw.awaitMessage();
            long first = raw.link().first();
            if (RpcHeader.kind(first) == RpcHeader.RESPONSE && RpcHeader.slot(RpcHeader.callId(first)) > 0) {
                ended++;
                cancelled += RpcHeader.method(first) == Status.CANCELLED.code() ? 1 : 0;
            }
        }
        assertEquals(GIVEN_UP, cancelled, "calls that were given up");
        assertEquals(RawClient.SLOTS - 1 - GIVEN_UP, impl.calls.get(), "handlers that ran");
        assertEquals(3, connect(server).add(1, 2));
    }

    /** Connects while the poller is held up, opens, calls, and gives up as many calls as there are credits for. */
    private RawClient openBlocked(RpcServer server) {
        RawClient raw = keep(new RawClient(server.address())).connect(server.address());
        raw.sendOpen(new CallsService(), 0);
        for (int slot = 1; slot < RawClient.SLOTS; slot++) {
            raw.request(slot, 1, CallsService.NOTHING.index(), 0);
            if (slot <= GIVEN_UP) {
                raw.link().sendControl(RpcHeader.first(RpcHeader.CANCEL, 0, 0, RpcHeader.callId(slot, 1)), 0);
            }
        }
        return raw;
    }

    // ---- opening

    @Test
    void aMethodOfAServiceThatIsNotOpenedIsRefused() {
        RpcServer server = serve(null);
        RawClient raw = keep(new RawClient(server.address())).connect(server.address());
        raw.request(1, 1, CallsService.NOTHING.index(), 0);
        assertEquals(Status.FAILED_PRECONDITION, awaitStatus(raw));
        assertEquals(0, impl.calls.get());
        int third = raw.open(new ThirdService(), 1);
        raw.request(1, 2, CallsService.NOTHING.index(), 0);
        assertEquals(Status.FAILED_PRECONDITION, awaitStatus(raw), "another service is open");
        raw.request(1, 3, third + 1, 0);
        assertEquals(Status.FAILED_PRECONDITION, awaitStatus(raw), "the server's health");
        raw.request(1, 4, third + 1 + new HealthService().methods().size(), 0);
        assertEquals(Status.UNIMPLEMENTED, awaitStatus(raw));
        int base = raw.open(new CallsService(), 2);
        raw.request(1, 5, base + CallsService.NOTHING.index(), 0);
        assertEquals(Status.OK, awaitStatus(raw));
        assertEquals(1, impl.calls.get());
    }

    @Test
    void aOneWayCallOfAServiceThatIsNotOpenedEndsTheSession() {
        RpcServer server = serve(null);
        RawClient raw = keep(new RawClient(server.address())).connect(server.address());
        raw.link().body(1).putLong(0, 0);
        raw.send(1, RpcHeader.first(RpcHeader.ONE_WAY, 0, CallsService.TICK.index(), RpcHeader.callId(1, 1)),
                RpcHeader.second(8, 0, 0), 8);
        Await.until("the session to end", () -> !raw.isConnected());
        assertEquals(0, impl.ticks.get());
        assertEquals(3, connect(server).add(1, 2));
    }

    private static Status awaitStatus(RawClient raw) {
        raw.awaitMessage();
        return Status.ofCode(RpcHeader.method(raw.link().first()));
    }
}
