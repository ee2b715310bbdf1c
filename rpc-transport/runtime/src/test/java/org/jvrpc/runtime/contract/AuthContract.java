package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.Access;
import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.api.auth.CallCredentials;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.auth.TokenVerifier;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Who calls, what they may, and what is written down of it. Servers are of the test's own process. */
public abstract class AuthContract extends RpcContract {

    private static final String TOKEN = "s3cret-token-of-ann";
    private static final CallOptions ANN = shows(TOKEN);

    private final List<RpcPrincipal> callers = new CopyOnWriteArrayList<>();
    private final List<Access> asked = new CopyOnWriteArrayList<>();
    private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();

    private static CallOptions shows(String token) {
        return CallOptions.DEFAULT.withCredentials(CallCredentials.bearer(() -> token));
    }

    private static TokenVerifier annOnly() {
        return TokenVerifier.of(Map.of(TOKEN, RpcPrincipal.token("ann", null)));
    }

    private TestServer guarded(UnaryOperator<RpcServer.Builder> settings) {
        return serve(newAddress(), builder -> settings.apply(builder.auditCalls(audited::add)
                .intercept((call, next) -> {
                    callers.add(call.principal());
                    next.proceed();
                })));
    }

    private RpcClient open(TestServer server) {
        return connect(server, RpcClient.Builder::allowCredentialsInPlain);
    }

    private RpcPrincipal lastCaller() {
        return callers.get(callers.size() - 1);
    }

    private List<AuditEvent> audited(AuditEvent.Kind kind) {
        return audited.stream().filter(event -> event.kind() == kind).toList();
    }

    /** Returns the kind of principal that the transport tells by itself. */
    protected abstract RpcPrincipal.Kind transportKind();

    /** Returns true where credentials go without being allowed to. */
    protected abstract boolean isPrivate();

    // ---- who

    @Test
    void theTransportSaysWhoCalls() throws Exception {
        TestServer server = guarded(builder -> builder);
        connect(server).stub(Calls.class).nothing();
        assertEquals(transportKind(), lastCaller().kind());
        if (transportKind() == RpcPrincipal.Kind.PROCESS) {
            Path self = Path.of("/proc/self");
            assertEquals(Files.getOwner(self).getName(), lastCaller().name());
            assertEquals(((Integer) Files.getAttribute(self, "unix:uid")).longValue(), lastCaller().uid());
            assertEquals(((Integer) Files.getAttribute(self, "unix:gid")).longValue(), lastCaller().gid());
            assertTrue(List.of(ProcessHandle.current().pid(), RpcPrincipal.UNKNOWN).contains(lastCaller().pid()));
        }
    }

    @Test
    void aServerThatWasToldNothingKnowsWhoCallsAllTheSame() {
        TestServer server = serve(newAddress(), builder -> builder.intercept((call, next) -> {
            callers.add(call.principal());
            next.proceed();
        }));
        Calls calls = connect(server).stub(Calls.class);
        calls.nothing();
        calls.echoHeavy(new byte[10]);
        assertEquals(List.of(transportKind(), transportKind()), callers.stream().map(RpcPrincipal::kind).toList());
    }

    @Test
    void aTokenSaysWhoMakesACallOfEveryKind() {
        RpcClient client = open(guarded(builder -> builder.tokens(annOnly())));
        Calls calls = client.stub(Calls.class, ANN);
        calls.nothing();
        calls.echoHeavy(new byte[10]);
        assertEquals(100_000, calls.echo(new byte[100_000]).length);
        assertEquals(2_000_000, calls.echoHeavy(new byte[2_000_000]).length);
        client.asyncStub(Calls.class, CallsAsync.class, ANN).nothing().join();
        calls.tick(1);
        calls.tickHeavy(2);
        Await.until("one-way calls", () -> callers.size() == 7);
        assertEquals(List.of("ann"), callers.stream().map(RpcPrincipal::name).distinct().toList());
        client.stub(Calls.class).nothing();
        assertEquals(transportKind(), lastCaller().kind());
    }

    @Test
    void credentialsStayAwayFromTransportsThatAllCanRead() {
        TestServer server = guarded(builder -> builder.tokens(annOnly()));
        RpcClient client = connect(server);
        if (isPrivate()) {
            client.stub(Calls.class, ANN).nothing();
        } else {
            String message = failsWith(Status.UNAUTHENTICATED, () -> client.stub(Calls.class, ANN));
            assertTrue(message.contains("allowCredentialsInPlain"), message);
            assertEquals(List.of(), callers);
        }
    }

    @Test
    void aTokenThatIsWorthNothingIsToldSoAndNotRepeated() {
        AtomicInteger verified = new AtomicInteger();
        TokenVerifier verifier = token -> {
            verified.incrementAndGet();
            return switch (token) {
                case "expired" -> RpcPrincipal.token("bob", Instant.now().minusSeconds(1));
                case "reason" -> throw new RpcException(Status.NOT_FOUND, "bob has left");
                case "leak" -> throw new RpcException(Status.NOT_FOUND, "no token leak here");
                case "broken" -> throw new AssertionError("broken by " + token);
                case "ann" -> RpcPrincipal.token("ann", null);
                default -> null;
            };
        };
        TestServer server = guarded(builder -> builder.tokens(verifier));
        RpcClient client = open(server);
        for (String token : List.of("expired", "reason", "leak", "unknown", "x".repeat(500))) {
            String message = failsWith(Status.UNAUTHENTICATED, () -> client.stub(Calls.class, shows(token)));
            assertFalse(message.contains("token " + token), message);
            assertEquals(token.equals("reason"), message.equals("bob has left"), message);
        }
        String message = failsWith(Status.INTERNAL, () -> client.stub(Calls.class, shows("broken")));
        assertTrue(message.contains("AssertionError") && !message.contains("broken by"), message);
        Calls ann = client.stub(Calls.class, shows("ann"));
        int before = verified.get();
        for (int i = 0; i < 10; i++) {
            ann.nothing();
        }
        assertEquals(before, verified.get());
        assertEquals(6, audited(AuditEvent.Kind.REFUSAL).size(), audited.toString());
        assertFalse(audited.toString().contains("xxx"), audited.toString());
    }

    @Test
    void whatIsNoTokenIsRefusedBeforeTheVerifierSeesIt() {
        TestServer server = guarded(builder -> builder.tokens(token -> {
            throw new AssertionError(token);
        }));
        RpcClient client = open(server);
        for (String shown : List.of("Basic YW5uOnNlY3JldA==", "Bearer ", "Bearer a b", "Bearer a\nb",
                "Bearer \u001b[2J", "Bearer é", "")) {
            CallOptions options = CallOptions.DEFAULT.withMetadata(CallCredentials.NAME, shown);
            Calls calls = client.stub(Calls.class, options);
            String message = failsWith(Status.UNAUTHENTICATED, calls::nothing);
            assertFalse(!shown.isEmpty() && message.contains(shown), message);
        }
        for (String token : List.of("a\nb", "", "a b")) {
            failsWith(Status.UNAUTHENTICATED, () -> client.stub(Calls.class, shows(token)));
        }
        assertEquals(List.of(), callers);
    }

    @Test
    void aTokenMayBeLongerThanASlot() {
        String longest = "x".repeat(TokenVerifier.MAX_CHARS);
        RpcClient client = open(guarded(builder -> builder.tokens(
                token -> token.equals(longest) ? RpcPrincipal.token("ann", null) : null)));
        Calls calls = client.stub(Calls.class, shows(longest));
        calls.nothing();
        calls.echoHeavy(new byte[100_000]);
        assertEquals(List.of("ann", "ann"), callers.stream().map(RpcPrincipal::name).toList());
        assertTrue(failsWith(Status.UNAUTHENTICATED, () -> client.stub(Calls.class, shows(longest + "x")))
                .contains("chars=8193"));
    }

    @Test
    void credentialsThatCannotBeHadFailTheirCallAndNoOther() {
        AtomicReference<String> token = new AtomicReference<>(TOKEN);
        RpcClient client = open(guarded(builder -> builder.tokens(annOnly())));
        Calls calls = client.stub(Calls.class, CallOptions.DEFAULT.withCredentials(CallCredentials.bearer(() -> {
            if (token.get() == null) {
                throw new IllegalStateException("no " + TOKEN);
            }
            return token.get();
        })));
        token.set(null);
        for (int i = 0; i < 100; i++) { // more than there are slots
            String message = failsWith(Status.UNAUTHENTICATED, calls::nothing);
            assertFalse(message.contains(TOKEN), message);
        }
        token.set(TOKEN);
        calls.nothing();
    }

    // ---- what they may

    @Test
    void theAuthorizerIsAskedAtEachStepAndBeforeArgumentsAreDecoded() {
        AtomicReference<String> refused = new AtomicReference<>("");
        TestServer server = guarded(builder -> builder.tokens(annOnly()).authorizer((principal, access) -> {
            asked.add(access);
            return access.what().endsWith(refused.get()) && !refused.get().isEmpty() ? "it is closed" : null;
        }));
        RpcClient client = open(server);
        Calls calls = client.stub(Calls.class, ANN);
        calls.nothing();
        assertEquals(List.of(Access.Step.CONNECT, Access.Step.OPEN, Access.Step.CALL),
                asked.stream().map(Access::step).toList());
        callers.clear();
        refused.set("/graph");
        String message = failsWith(Status.PERMISSION_DENIED, () -> calls.graph(new Calls.Node()));
        assertTrue(message.contains("token:ann") && message.contains("Calls/graph: it is closed"), message);
        refused.set("Heavy");
        failsWith(Status.PERMISSION_DENIED, () -> calls.echoHeavy(new byte[10]));
        failsWith(Status.PERMISSION_DENIED, () -> calls.echoHeavy(new byte[2_000_000]));
        calls.tickHeavy(1);
        Await.until("a one-way call to be refused", () -> audited(AuditEvent.Kind.REFUSAL).size() == 4);
        refused.set("/tick");
        calls.tick(1);
        calls.nothing();
        assertEquals(List.of("ann"), callers.stream().map(RpcPrincipal::name).toList());
        assertEquals(0, ticks());
        assertEquals(5, audited(AuditEvent.Kind.REFUSAL).size(), audited.toString());
    }

    @Test
    void whoMayNotConnectOrOpenIsToldWhy() {
        AtomicReference<Access.Step> refused = new AtomicReference<>(Access.Step.CONNECT);
        TestServer server = guarded(builder -> builder.authorizer((principal, access) ->
                access.step() == refused.get() ? "come again" : null));
        Status status = transportKind() == RpcPrincipal.Kind.ANONYMOUS
                ? Status.UNAUTHENTICATED : Status.PERMISSION_DENIED;
        String message = failsWith(status, () -> connect(server));
        assertTrue(message.contains("may not connect: come again"), message);
        refused.set(Access.Step.OPEN);
        RpcClient client = connect(server);
        failsWith(status, () -> client.stub(Calls.class));
        refused.set(null);
        client.stub(Calls.class).nothing();
    }

    @Test
    void anAuthorizerThatThrowsRefusesAndTheServerLives() {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        TestServer server = guarded(builder -> builder.authorizer((principal, access) -> {
            if (thrown.get() instanceof Error e) {
                throw e;
            } else if (thrown.get() instanceof RuntimeException e) {
                throw e;
            }
            return null;
        }));
        Calls calls = connect(server).stub(Calls.class);
        for (Throwable each : List.of(new IllegalStateException("secret"), new StackOverflowError("secret"))) {
            thrown.set(each);
            assertFalse(failsWith(Status.INTERNAL, calls::nothing).contains("secret"));
            failsWith(Status.INTERNAL, () -> connect(server));
        }
        thrown.set(new RpcException(Status.UNAUTHENTICATED, "who are you?"));
        assertEquals("who are you?", failsWith(Status.UNAUTHENTICATED, calls::nothing));
        thrown.set(new RpcException(Status.DATA_LOSS, "no"));
        failsWith(Status.PERMISSION_DENIED, calls::nothing);
        thrown.set(null);
        calls.nothing();
    }

    // ---- what they may cost

    @Test
    void callsUnderWayOfAPrincipalAreLimitedOverAllItsSessions() {
        TestServer server = guarded(builder -> builder.principalLimits(new PrincipalLimits().maxCalls(3)));
        CallsAsync one = async(connect(server));
        RpcClient other = connect(server);
        CompletableFuture<Long> heavy = one.hang(1);
        CompletableFuture<Long> more = one.hang(2);
        CompletableFuture<Long> later = async(other).hangLater(3);
        Await.until("three calls under way", () -> hanging() == 3);
        Calls calls = other.stub(Calls.class);
        String message = failsWith(Status.RESOURCE_EXHAUSTED, calls::nothing);
        assertTrue(message.contains("calls under way=3 limit=3"), message);
        openGate();
        CompletableFuture.allOf(heavy, more, later).join();
        for (int i = 0; i < 10; i++) {
            calls.nothing();
        }
    }

    @Test
    void callsAndBytesASecondOfAPrincipalAreLimited() {
        TestServer server = guarded(builder -> builder.principalLimits(
                new PrincipalLimits().callsPerSecond(20).bytesPerSecond(1 << 20)));
        Calls one = connect(server).stub(Calls.class);
        Calls other = connect(server).stub(Calls.class);
        RpcException refused = assertThrows(RpcException.class, () -> {
            for (int i = 0; i < 1_000_000; i++) {
                (i % 2 == 0 ? one : other).nothing();
            }
        });
        assertEquals(Status.RESOURCE_EXHAUSTED, refused.status(), refused.getMessage());
        assertTrue(refused.getMessage().contains("calls a second limit=20"), refused.getMessage());
        Await.until("more calls to be let in", () -> {
            try {
                one.count(new byte[4 << 20]);
                return true;
            } catch (RpcException e) {
                return false;
            }
        });
        Await.until("what was too long to be owed", () -> {
            String message = failsWith(Status.RESOURCE_EXHAUSTED, other::nothing);
            return message.contains("bytes a second limit=1048576");
        });
    }

    @Test
    void sessionsOfAPrincipalAreLimited() {
        TestServer server = guarded(builder -> builder.principalLimits(new PrincipalLimits().maxSessions(2)));
        RpcClient first = connect(server);
        connect(server);
        String message = failsWith(Status.RESOURCE_EXHAUSTED, () -> connect(server));
        assertTrue(message.contains("sessions=2 limit=2"), message);
        first.close();
        Await.until("a session to be over", () -> {
            try {
                connect(server).stub(Calls.class).nothing();
                return true;
            } catch (RpcException e) {
                return false;
            }
        });
    }

    // ---- those who are not welcome any more

    @Test
    void whoIsRevokedLosesSessionsAndComesNoMoreUntilThatIsTakenBack() throws Exception {
        TestServer server = guarded(builder -> builder);
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        CompletableFuture<Long> later = async(client).hangLater(1);
        Await.until("the call to be there", () -> hanging() == 1);
        AutoCloseable revocation = server.ask(each ->
                each.revoke(principal -> principal.kind() == transportKind()));
        String message = endedWith(Status.UNAUTHENTICATED, Await.outcome(later));
        assertTrue(message.contains("is revoked"), message);
        Await.until("the session to end", () -> audited(AuditEvent.Kind.DISCONNECT).size() == 1);
        assertTrue(failsWith(Status.UNAUTHENTICATED, () -> connect(server)).contains("is revoked"));
        revocation.close();
        Await.until("the client to come again", () -> {
            try {
                calls.nothing();
                return true;
            } catch (RpcException e) {
                return false;
            }
        });
        assertEquals(1, audited(AuditEvent.Kind.EXPULSION).size());
    }

    @Test
    void callsOfEveryKindUnderWayOfWhoIsRevokedAreToldSo() {
        TestServer server = guarded(builder -> builder.principalLimits(new PrincipalLimits().maxCalls(5)));
        CallsAsync calls = async(connect(server));
        tellServer(side -> side.impl.echoes = bytes -> side.impl.hangLater(4).thenApply(number -> bytes));
        List<CompletableFuture<?>> underWay = List.of(calls.hang(1), calls.hang(2), calls.hangLater(3),
                calls.echoHeavyLater(new byte[2 << 20]), calls.untilCancelled());
        Await.until("the calls to be there", () -> hanging() == 5);
        server.ask(each -> each.revoke(principal -> true));
        for (CompletableFuture<?> each : underWay) {
            assertTrue(endedWith(Status.UNAUTHENTICATED, Await.outcome(each)).contains("is revoked"));
        }
        Await.until("the session to end", () -> audited(AuditEvent.Kind.DISCONNECT).size() == 1);
    }

    @Test
    void aTokenThatIsRevokedIsNoneAnyMore() throws Exception {
        TestServer server = guarded(builder -> builder.tokens(annOnly()));
        Calls calls = open(server).stub(Calls.class, ANN);
        calls.nothing();
        AutoCloseable revocation = server.ask(each -> each.revoke(principal -> principal.name().equals("ann")));
        failsWith(Status.UNAUTHENTICATED, calls::nothing);
        revocation.close();
        calls.nothing();
    }

    @Test
    void theAuthorizerIsAskedAgainOfThoseWhoAreThere() {
        AtomicReference<String> refusal = new AtomicReference<>();
        TestServer server = guarded(builder -> builder.recheck(Duration.ofMillis(100))
                .authorizer((principal, access) -> access.step() == Access.Step.CONNECT ? refusal.get() : null));
        RpcClient client = connect(server);
        CompletableFuture<Long> light = async(client).hangLater(1);
        CompletableFuture<Void> heavy = async(client).untilCancelled();
        Await.until("both to be there", () -> hanging() >= 1 && cancellable() >= 1);
        refusal.set("the contract ended");
        RpcException e = (RpcException) Await.outcome(light);
        assertTrue(e.status() == Status.UNAUTHENTICATED || e.status() == Status.PERMISSION_DENIED, e.toString());
        assertEquals(e.status(), ((RpcException) Await.outcome(heavy)).status());
        awaitCancelSeen();
    }

    // ---- what is written down

    @Test
    void whatHappensIsAuditedWithoutTokens() {
        TestServer server = guarded(builder -> builder.tokens(annOnly()));
        RpcClient client = open(server);
        client.stub(Calls.class, ANN).nothing();
        client.close();
        Await.until("the end", () -> !audited(AuditEvent.Kind.DISCONNECT).isEmpty());
        assertEquals(List.of(AuditEvent.Kind.CONNECT, AuditEvent.Kind.OPEN, AuditEvent.Kind.CALL,
                AuditEvent.Kind.DISCONNECT), audited.stream().map(AuditEvent::kind).toList());
        assertEquals(List.of(transportKind().name().toLowerCase(Locale.ROOT), "token", "token"),
                audited.stream().limit(3).map(event -> event.principal().toString().split(":")[0]).toList());
        assertFalse(audited.toString().contains(TOKEN), audited.toString());
    }

    @Test
    void anAuditLogThatThrowsChangesNothing() {
        TestServer server = serve(newAddress(), builder -> builder.auditCalls(event -> {
            throw new AssertionError("audit");
        }));
        connect(server).stub(Calls.class).nothing();
    }
}
