package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Interceptors on both sides, and metadata. */
public abstract class InterceptorContract extends RpcContract {

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private ServerInterceptor server(String name) {
        return (call, next) -> {
            seen.add(name + " in");
            try {
                next.proceed();
            } finally {
                seen.add(name + " out");
            }
        };
    }

    private ClientInterceptor client(String name) {
        return (call, next) -> {
            seen.add(name + " in");
            call.whenEnded((status, message) -> seen.add(name + " " + status));
            call.metadata().put(name, call.method().name());
            next.proceed();
            seen.add(name + " out");
        };
    }

    private RpcClient connect(RpcServer server, ClientInterceptor... interceptors) {
        return connect(server, builder -> {
            for (ClientInterceptor interceptor : interceptors) {
                builder.intercept(interceptor);
            }
            return builder;
        });
    }

    @Test
    void interceptorsRunFromTheFirstAddedToTheLast() {
        RpcServer server = serve(newAddress(), builder -> builder.intercept(server("s1")).intercept(server("s2")));
        Calls calls = connect(server, client("c1"), client("c2")).stub(Calls.class);
        assertEquals("context context", calls.context("c2"));
        assertEquals(List.of("c1 in", "c2 in", "s1 in", "s2 in", "s2 out", "s1 out", "c2 out", "c1 out", "c1 OK",
                "c2 OK"), seen);
    }

    @Test
    void metadataTravelsWithEveryKindOfCall() {
        List<String> got = new CopyOnWriteArrayList<>();
        RpcServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            got.add(call.method().name() + "=" + call.metadata().get("KEY"));
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
        Await.until("all calls", () -> got.size() == 7);
        assertTrue(got.containsAll(List.of("nothing=välue", "echoHeavy=välue", "echo=välue", "tick=välue",
                "tickHeavy=välue", "echoLater=välue", "nothing=null")), got.toString());
    }

    @Test
    void metadataThatAnInterceptorKeepsOrChangesIsThatOfItsCallAlone() {
        List<Metadata> kept = new CopyOnWriteArrayList<>();
        List<String> got = new CopyOnWriteArrayList<>();
        RpcServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            got.add(call.metadata().toString());
            call.metadata().put("seen", call.method().name());
            kept.add(call.metadata());
            next.proceed();
        }));
        Calls calls = connect(server).stub(Calls.class);
        calls.nothing();
        calls.tick(0);
        calls.echoHeavy(new byte[1]);
        calls.tickHeavy(1);
        calls.nothing();
        connect(server).stub(Calls.class).add(1, 2);
        Await.until("all calls", () -> kept.size() == 6);
        assertEquals(List.of("[]", "[]", "[]", "[]", "[]", "[]"), got);
        assertTrue(kept.stream().allMatch(metadata -> metadata.size() == 1), kept.toString());
    }

    @Test
    void theServerKnowsWhereItsClientIs() {
        List<String> hosts = new CopyOnWriteArrayList<>();
        RpcServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            hosts.add(call.clientHost() == null ? "null" : call.clientHost().getHostAddress());
            next.proceed();
        }));
        Calls calls = connect(server).stub(Calls.class);
        calls.nothing();
        calls.echoHeavy(new byte[3]);
        assertEquals(List.of(clientHost(), clientHost()), hosts);
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
        RpcServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
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
        assertEquals(0, impl.calls.get());
        client.stub(Calls.class, CallOptions.DEFAULT.withMetadata("who", "me")).nothing();
        assertEquals(1, impl.calls.get());
    }

    @Test
    void aServerInterceptorThatDoesNotProceedLeavesNoCallWithoutAnAnswer() {
        RpcServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
        }));
        Calls calls = connect(server).stub(Calls.class);
        failsWith(Status.CANCELLED, calls::nothing);
        failsWith(Status.CANCELLED, () -> calls.echoHeavy(new byte[1]));
        assertEquals(0, impl.calls.get());
    }

    @Test
    void aServerInterceptorCannotProceedTwiceNorPastOneThatRefused() {
        RpcServer twice = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            next.proceed();
            next.proceed();
        }));
        failsWith(Status.UNKNOWN, connect(twice).stub(Calls.class)::nothing);
        assertEquals(1, impl.calls.get());
        RpcServer past = serve(newAddress(), builder -> builder.intercept((call, next) -> {
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
        assertEquals(1, impl.calls.get());
    }

    @Test
    void aServerInterceptorThatKeepsAFailureToItselfDoesNotMakeAnAnswerOfIt() {
        RpcServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            try {
                next.proceed();
            } catch (RpcException e) {
                seen.add(e.getMessage());
            }
        }));
        Calls calls = connect(server).stub(Calls.class);
        failsWith(Status.NOT_FOUND, () -> calls.fail("status"));
        failsWith(Status.NOT_FOUND, () -> calls.failHeavy("status"));
        assertEquals(2, seen.size());
    }

    @Test
    void aClientInterceptorRefusesCallsAndNothingIsLost() {
        RpcServer server = serve();
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
        assertEquals(0, impl.calls.get());
    }

    @Test
    void aClientInterceptorThatThrowsWhatItLikesLosesNoSlot() {
        RpcServer server = serve();
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
        RpcServer server = serve();
        Calls never = connect(server, (call, next) -> {
        }).stub(Calls.class);
        failsWith(Status.CANCELLED, never::nothing);
        failsWith(Status.CANCELLED, () -> never.tick(1));
        endedWith(Status.CANCELLED, Await.outcome(never.echoLater(new byte[1])));
        assertEquals(0, impl.calls.get());
        RpcClient twice = connect(server, (call, next) -> {
            next.proceed();
            next.proceed();
        });
        assertThrows(IllegalStateException.class, twice.stub(Calls.class)::nothing);
        assertInstanceOf(IllegalStateException.class, Await.outcome(async(twice).add(1, 2)));
        assertEquals(1, impl.calls.get());
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
        RpcServer server = serve();
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
        Await.until("the handler", () -> impl.cancellable.get() == 1);
        cancelled.cancel(false);
        Await.latch("the handler to see it", impl.cancelSeen);
        CompletableFuture<Long> lost = calls.hangLater(1);
        Await.until("the handler", () -> impl.later.get() == 1);
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
        RpcServer server = serve();
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
        RpcServer server = serve();
        Calls calls = connect(server).stub(Calls.class, CallOptions.DEFAULT.withMetadata("k", "v"));
        assertEquals("context v", calls.context("k"));
        assertEquals("context null", calls.context("other"));
        assertEquals(null, RpcServer.context());
        CallsImpl without = new CallsImpl();
        RpcServer plain = keep(RpcServer.builder().bind(newAddress()).service(Calls.class, without).start());
        assertEquals("none", connect(plain).stub(Calls.class).context("k"));
    }
}
