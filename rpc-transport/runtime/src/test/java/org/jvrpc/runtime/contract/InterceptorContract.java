package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientContext;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Interceptors on both sides, and metadata. */
public abstract class InterceptorContract extends RpcContract {

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<ServerSide.Note> noted = new CopyOnWriteArrayList<>();

    private static ServerInterceptor server(String name, ServerSide side) {
        return (call, next) -> {
            side.note(name + " in");
            try {
                next.proceed();
            } finally {
                side.note(name + " out");
            }
        };
    }

    private ClientInterceptor client(String name) {
        return (call, next) -> {
            noted.add(ServerSide.Note.of(name + " in"));
            call.whenEnded((status, message) -> noted.add(ServerSide.Note.of(name + " " + status)));
            call.metadata().put(name, call.method().name());
            next.proceed();
            noted.add(ServerSide.Note.of(name + " out"));
        };
    }

    private RpcClient connect(TestServer server, ClientInterceptor... interceptors) {
        return connect(server, builder -> {
            for (ClientInterceptor interceptor : interceptors) {
                builder.intercept(interceptor);
            }
            return builder;
        });
    }

    @Test
    void interceptorsRunFromTheFirstAddedToTheLast() {
        TestServer server = serve(newAddress(), (builder, side) ->
                builder.intercept(server("s1", side)).intercept(server("s2", side)));
        Calls calls = connect(server, client("c1"), client("c2")).stub(Calls.class);
        assertEquals("context context", calls.context("c2"));
        noted.addAll(askServer(ServerSide::notes));
        List<String> inOrder = noted.stream().sorted(Comparator.comparingLong(ServerSide.Note::atNs))
                .map(ServerSide.Note::text).toList();
        assertEquals(List.of("c1 in", "c2 in", "s1 in", "s2 in", "s2 out", "s1 out", "c2 out", "c1 out", "c1 OK",
                "c2 OK"), inOrder);
    }

    @Test
    void metadataTravelsWithEveryKindOfCall() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.intercept((call, next) -> {
            side.note(call.method().name() + "=" + call.metadata().get("KEY"));
            next.proceed();
        }));
        RpcClient client = connect(server);
        CallOptions options = CallOptions.DEFAULT.withMetadata("key", "välue").withMetadata("other", "");
        Calls calls = client.stub(Calls.class, options);
        calls.nothing();
        calls.echoHeavy(new byte[3]);
        calls.echo(new byte[100_000]);
        calls.tick(0);
        calls.tickHeavy(1);
        Await.outcome(calls.echoLater(new byte[2]));
        client.stub(Calls.class).nothing();
        Await.until("all calls", () -> notes().size() == 7);
        List<String> got = notes();
        assertTrue(got.containsAll(List.of("nothing=välue", "echoHeavy=välue", "echo=välue", "tick=välue",
                "tickHeavy=välue", "echoLater=välue", "nothing=null")), got.toString());
    }

    @Test
    void metadataThatAnInterceptorKeepsOrChangesIsThatOfItsCallAlone() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.intercept((call, next) -> {
            side.note(call.metadata());
            call.metadata().put("seen", call.method().name());
            side.kept.add(call.metadata());
            next.proceed();
        }));
        Calls calls = connect(server).stub(Calls.class);
        calls.nothing();
        calls.tick(0);
        calls.echoHeavy(new byte[1]);
        calls.tickHeavy(1);
        calls.nothing();
        connect(server).stub(Calls.class).add(1, 2);
        Await.until("all calls", () -> askServer(side -> side.kept.size()) == 6);
        assertEquals(List.of("[]", "[]", "[]", "[]", "[]", "[]"), notes());
        assertEquals(List.of(1, 1, 1, 1, 1, 1), askServer(side ->
                new ArrayList<>(side.kept.stream().map(Metadata::size).toList())));
    }

    @Test
    void theServerKnowsWhereItsClientIs() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.intercept((call, next) -> {
            side.note(call.clientHost() == null ? "null" : call.clientHost().getHostAddress());
            next.proceed();
        }));
        Calls calls = connect(server).stub(Calls.class);
        calls.nothing();
        calls.echoHeavy(new byte[3]);
        assertEquals(List.of(clientHost(), clientHost()), notes());
    }

    @Test
    void metadataThatIsTooLongIsRefusedAndTheClientGoesOn() {
        RpcClient client = connect(serve(), builder -> builder.slotBytes(256));
        CallOptions many = CallOptions.DEFAULT;
        for (int i = 0; i < 40; i++) {
            many = many.withMetadata("name" + i, "x".repeat(1000));
        }
        assertEquals(5, client.stub(Calls.class, many).add(2, 3));
        failsWith(Status.RESOURCE_EXHAUSTED, () -> client.stub(Calls.class,
                CallOptions.DEFAULT.withMetadata("name", "x".repeat(1000))).tick(1));
        CallOptions tooMany = many;
        for (int i = 0; i < 40; i++) {
            tooMany = tooMany.withMetadata("more" + i, "x".repeat(1000));
        }
        Calls refused = client.stub(Calls.class, tooMany);
        assertTrue(failsWith(Status.INVALID_ARGUMENT, () -> refused.add(1, 2)).contains("limit=65535"));
        Calls entry = client.stub(Calls.class, CallOptions.DEFAULT.withMetadata("n", "x".repeat(1025)));
        assertTrue(failsWith(Status.INVALID_ARGUMENT, () -> entry.add(1, 2)).contains("limit=1024"));
        assertEquals(3, client.stub(Calls.class).add(1, 2));
    }

    @Test
    void aRefusalOfAServerInterceptorReachesTheCaller() {
        TestServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            if (call.metadata().get("who") == null) {
                throw new RpcException(Status.UNAUTHENTICATED, "who are you");
            }
            next.proceed();
        }));
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        assertEquals("who are you", failsWith(Status.UNAUTHENTICATED, calls::nothing));
        failsWith(Status.UNAUTHENTICATED, () -> calls.echoHeavy(new byte[1]));
        endedWith(Status.UNAUTHENTICATED, Await.outcome(calls.echoLater(new byte[1])));
        assertEquals(0, callsMade());
        client.stub(Calls.class, CallOptions.DEFAULT.withMetadata("who", "me")).nothing();
        assertEquals(1, callsMade());
    }

    @Test
    void aServerInterceptorThatDoesNotProceedLeavesNoCallWithoutAnAnswer() {
        TestServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
        }));
        Calls calls = connect(server).stub(Calls.class);
        failsWith(Status.CANCELLED, calls::nothing);
        failsWith(Status.CANCELLED, () -> calls.echoHeavy(new byte[1]));
        assertEquals(0, callsMade());
    }

    @Test
    void aServerInterceptorCannotProceedTwiceNorPastOneThatRefused() {
        TestServer twice = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            next.proceed();
            next.proceed();
        }));
        failsWith(Status.UNKNOWN, connect(twice).stub(Calls.class)::nothing);
        assertEquals(1, callsMade());
        TestServer past = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            try {
                next.proceed();
            } catch (RpcException e) {
                next.proceed();
            }
        }).intercept((call, next) -> {
            throw new RpcException(Status.PERMISSION_DENIED, "no");
        }));
        RpcException e = assertThrows(RpcException.class, connect(past).stub(Calls.class)::nothing);
        assertEquals(Status.UNKNOWN, e.status());
        assertEquals(1, callsMade());
    }

    @Test
    void aServerInterceptorThatKeepsAFailureToItselfDoesNotMakeAnAnswerOfIt() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.intercept((call, next) -> {
            try {
                next.proceed();
            } catch (RpcException e) {
                side.note(e.getMessage());
            }
        }));
        Calls calls = connect(server).stub(Calls.class);
        failsWith(Status.NOT_FOUND, () -> calls.fail("status"));
        failsWith(Status.NOT_FOUND, () -> calls.failHeavy("status"));
        assertEquals(2, notes().size());
    }

    @Test
    void aClientInterceptorRefusesCallsAndNothingIsLost() {
        TestServer server = serve();
        RpcClient client = connect(server, builder -> builder.slots(2).intercept((call, next) -> {
            call.whenEnded((status, message) -> seen.add(status + " " + message));
            throw new RpcException(Status.ABORTED, "not now");
        }));
        Calls calls = client.stub(Calls.class);
        for (int i = 0; i < 10; i++) {
            failsWith(Status.ABORTED, calls::nothing);
            failsWith(Status.ABORTED, () -> calls.tick(1));
            endedWith(Status.ABORTED, Await.outcome(async(client).add(1, 2)));
        }
        assertEquals(30, seen.size());
        assertTrue(seen.stream().allMatch("ABORTED not now"::equals), seen.toString());
        assertEquals(0, callsMade());
    }

    @Test
    void aClientInterceptorThatThrowsWhatItLikesLosesNoSlot() {
        TestServer server = serve();
        RpcClient before = connect(server, builder -> builder.slots(2).intercept((call, next) -> {
            throw new IllegalStateException("mine");
        }));
        RpcClient after = connect(server, builder -> builder.slots(2).intercept((call, next) -> {
            next.proceed();
            throw new IllegalStateException("mine");
        }));
        for (RpcClient client : List.of(before, after)) {
            Calls calls = client.stub(Calls.class);
            CallsAsync async = async(client);
            for (int i = 0; i < 50; i++) {
                assertThrows(IllegalStateException.class, calls::nothing);
                assertThrows(IllegalStateException.class, () -> calls.tick(1));
                assertInstanceOf(IllegalStateException.class, Await.outcome(async.add(1, 2)));
            }
        }
    }

    @Test
    void aClientInterceptorProceedsOnceOrNotAtAll() {
        TestServer server = serve();
        Calls never = connect(server, (call, next) -> {
        }).stub(Calls.class);
        failsWith(Status.CANCELLED, never::nothing);
        failsWith(Status.CANCELLED, () -> never.tick(1));
        endedWith(Status.CANCELLED, Await.outcome(never.echoLater(new byte[1])));
        assertEquals(0, callsMade());
        RpcClient twice = connect(server, (call, next) -> {
            next.proceed();
            next.proceed();
        });
        assertThrows(IllegalStateException.class, twice.stub(Calls.class)::nothing);
        assertInstanceOf(IllegalStateException.class, Await.outcome(async(twice).add(1, 2)));
        assertEquals(1, callsMade());
    }

    @Test
    void aClientInterceptorThatKeepsAFailureToItselfDoesNotMakeAnAnswerOfIt() {
        Calls calls = connect(serve(), (call, next) -> {
            try {
                next.proceed();
            } catch (RpcException e) {
                seen.add(e.getMessage());
            }
        }).stub(Calls.class);
        failsWith(Status.NOT_FOUND, () -> calls.fail("status"));
        assertEquals(List.of("no such thing"), seen);
    }

    @Test
    void aClientInterceptorChangesTheDeadline() {
        RpcClient client = connect(serve(), (call, next) -> {
            call.deadlineNs(40_000_000);
            next.proceed();
        });
        long startNs = System.nanoTime();
        failsWith(Status.DEADLINE_EXCEEDED, () -> client.stub(Calls.class).hang(1));
        endedWith(Status.DEADLINE_EXCEEDED, Await.outcome(async(client).hang(1)));
        assertTrue(System.nanoTime() - startNs < 15_000_000_000L, "ended by the default deadline");
    }

    @Test
    void listenersHearOfTheEndOnceHoweverACallEnds() {
        TestServer server = serve();
        RpcClient client = connect(server, (call, next) -> {
            call.whenEnded((status, message) -> seen.add(call.method().name() + " " + status));
            next.proceed();
        });
        Calls calls = client.stub(Calls.class);
        CallsAsync async = async(client);
        calls.nothing();
        calls.tick(0);
        failsWith(Status.NOT_FOUND, () -> calls.fail("status"));
        assertThrows(Calls.Overdrawn.class, () -> calls.failHeavy("declared"));
        failsWith(Status.DEADLINE_EXCEEDED, () -> calls.hangBriefly(1));
        Await.outcome(async.add(1, 2));
        endedWith(Status.UNKNOWN, Await.outcome(async.fail("unchecked")));
        assertInstanceOf(Calls.Overdrawn.class, Await.outcome(async.failHeavy("declared")));
        CompletableFuture<Void> cancelled = async.untilCancelled();
        Await.until("the handler", () -> cancellable() == 1);
        cancelled.cancel(false);
        awaitCancelSeen();
        CompletableFuture<Long> lost = calls.hangLater(1);
        Await.until("the handler", () -> askServer(side -> side.impl.later.get()) == 1);
        client.close();
        endedWith(Status.UNAVAILABLE, Await.outcome(lost));
        Await.until("all listeners", () -> seen.size() == 10);
        assertEquals(List.of("nothing OK", "tick OK", "fail NOT_FOUND", "failHeavy OK", "hangBriefly DEADLINE_EXCEEDED",
                "add OK", "fail UNKNOWN", "failHeavy OK", "untilCancelled CANCELLED", "hangLater UNAVAILABLE"), seen);
    }

    @Test
    void aListenerThatThrowsHarmsNobody() {
        RpcClient client = connect(serve(), (call, next) -> {
            call.whenEnded((status, message) -> {
                throw new IllegalStateException("listener");
            });
            next.proceed();
        });
        CallsAsync async = async(client);
        for (int i = 0; i < 100; i++) {
            assertEquals((long) i, Await.outcome(async.add(i, 0).thenApply(x -> x)));
            assertEquals(i, client.stub(Calls.class).add(0, i));
        }
        endedWith(Status.DEADLINE_EXCEEDED, Await.outcome(async.hangBriefly(1)));
    }

    @Test
    void interceptorsAndListenersMayCallOnTheSameClient() {
        TestServer server = serve();
        AtomicReference<Calls> inner = new AtomicReference<>();
        AtomicReference<RpcClient> other = new AtomicReference<>();
        RpcClient client = connect(server, (call, next) -> {
            if (!call.method().name().equals("echo") || inner.get() == null) {
                next.proceed();
                return;
            }
            call.whenEnded((status, message) -> seen.add(inner.get().boxes(null, 1, null, null)));
            assertEquals(3, inner.get().add(1, 2));
            next.proceed();
            for (int i = 0; i < 200; i++) {
                inner.get().sized(30, i);
            }
        });
        other.set(client);
        inner.set(client.stub(Calls.class));
        for (int length : new int[] {10, 30, 200, 3000, 100_000}) {
            byte[] body = Bytes.of(length, length);
            Bytes.assertSame(body, inner.get().echo(body), "echo of " + length);
        }
        assertEquals(5, seen.size());
    }

    @Test
    void handlersHaveTheContextOfTheirCallAndOthersHaveNone() {
        TestServer server = serve();
        Calls calls = connect(server).stub(Calls.class, CallOptions.DEFAULT.withMetadata("k", "v"));
        assertEquals("context v", calls.context("k"));
        assertEquals("context null", calls.context("other"));
        assertEquals(null, RpcServer.context());
        TestServer plain = serve(newAddress(), builder -> builder.context(false));
        assertEquals("none", connect(plain).stub(Calls.class).context("k"));
    }

    /** Stands around calls of one method. */
    private record Choosy(String name, String wanted, ServerSide side) implements ServerInterceptor {

        @Override
        public boolean intercepts(ServerContext call) {
            return call.method().name().equals(wanted);
        }

        @Override
        public void intercept(ServerContext call, Next next) throws Exception {
            side.note(name + " " + call.method().name() + " " + call.hasMetadata());
            next.proceed();
        }
    }

    @Test
    void interceptorsStandAroundTheCallsThatTheyWantAlone() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.context(false)
                .intercept(new Choosy("s1", "add", side)).intercept(new Choosy("s2", "echoHeavy", side)));
        ClientInterceptor choosy = new ClientInterceptor() {
            @Override
            public boolean intercepts(MethodDescriptor method) {
                return method.name().equals("add");
            }

            @Override
            public void intercept(ClientContext call, Next next) {
                seen.add(call.metadata().put("method", call.method().name()).get("method"));
                next.proceed();
            }
        };
        RpcClient client = connect(server, choosy);
        client.stub(Calls.class).nothing();
        assertEquals(3, client.stub(Calls.class).add(1, 2));
        client.stub(Calls.class).echoHeavy(new byte[3]);
        Await.outcome(async(client).add(1, 2));
        assertEquals(List.of("add", "add"), seen);
        assertEquals(List.of("s1 add true", "s2 echoHeavy false", "s1 add true"), notes());
    }

    @Test
    void aServerInterceptorHearsOnceHowTheWorkOfEachHandlerEnds() throws Calls.Overdrawn {
        TestServer server = serve(newAddress(), (builder, side) -> builder.intercept((call, next) -> {
            String name = call.method().name();
            call.whenEnded((status, message) -> side.note(name + " " + status + " " + message));
            next.proceed();
            side.note(name + " left");
        }));
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        calls.add(1, 2);
        calls.tick(1);
        Await.until("tick", () -> notes().size() == 4);
        failsWith(Status.NOT_FOUND, () -> calls.failHeavy("status"));
        assertThrows(Calls.Overdrawn.class, () -> calls.fail("declared"));
        endedWith(Status.UNKNOWN, Await.outcome(calls.failLater("stage unchecked")));
        Await.until("failLater", () -> notes().size() == 9);
        assertEquals(List.of("add left", "add OK null", "tick left", "tick OK null",
                "failHeavy NOT_FOUND no such thing", "fail left", "fail OK null", "failLater left",
                "failLater UNKNOWN java.lang.IllegalStateException: boom"), notes());
        CompletableFuture<Long> late = calls.hangLater(1);
        Await.until("the handler", () -> askServer(side -> side.impl.later.get()) == 1);
        client.close();
        endedWith(Status.UNAVAILABLE, Await.outcome(late));
        openGate();
        Await.until("the end of a call whose client has left", () -> notes().size() == 11);
        assertTrue(notes().get(10).startsWith("hangLater "), notes().get(10));
    }
}
