package org.jvrpc.runtime.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.Access;
import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.thread.Environment;

/** Gates of a server whose clock and rounds are the test's. */
class GuardTest {

    private static final MethodDescriptor METHOD =
            new MethodDescriptor(0, "Orders", "watch", "watch()", 0, false, false, 0, false);

    private final GuardOptions options = new GuardOptions();
    private final List<String> ends = new ArrayList<>();
    private final List<AuditEvent> audited = new ArrayList<>();
    private Instant now = Instant.ofEpochSecond(1000);
    private Guard guard;

    private Gate gate(RpcPrincipal principal) {
        if (guard == null) {
            options.audit(audited::add, false);
            guard = new Guard(options, new Environment(System::nanoTime, (task, name) -> new Thread(() -> { })), "test",
                    () -> now);
        }
        Gate gate = guard.gate(1, Who.of(principal), ends::add);
        gate.begin();
        return gate;
    }

    private static RpcPrincipal until(long second) {
        return RpcPrincipal.token("ann", Instant.ofEpochSecond(second));
    }

    private static Metadata shows(String token) {
        return new Metadata().put("authorization", "Bearer " + token);
    }

    @Test
    void aSessionEndsWithWhatItsPrincipalIsKnownBy() {
        Gate gate = gate(until(1010));
        now = Instant.ofEpochSecond(1009);
        guard.round(false);
        assertEquals(List.of(), ends);
        now = Instant.ofEpochSecond(1010);
        RpcException e = assertThrows(RpcException.class, () -> gate.enter(gate.call(METHOD), null, 1));
        assertEquals(Status.UNAUTHENTICATED, e.status());
        guard.round(false);
        guard.round(true);
        assertEquals(List.of("token:ann expired at 1970-01-01T00:16:50Z"), ends);
        gate.close();
        gate.close();
        assertEquals(List.of(AuditEvent.Kind.CONNECT, AuditEvent.Kind.REFUSAL, AuditEvent.Kind.EXPULSION,
                AuditEvent.Kind.DISCONNECT), audited.stream().map(AuditEvent::kind).toList());
    }

    @Test
    void aStreamEndsWithTheTokenThatItWasOpenedBy() {
        options.verifier(token -> until(Long.parseLong(token)));
        Gate gate = gate(RpcPrincipal.anonymous());
        Gate.Held first = gate.stream(METHOD, shows("1010"), 1);
        try (Gate.Held second = gate.stream(METHOD, shows("1005"), 1)) {
            assertEquals("ann", second.principal().name());
        }
        now = Instant.ofEpochSecond(1006);
        guard.round(false);
        assertEquals(List.of(), ends);
        now = Instant.ofEpochSecond(1011);
        guard.round(false);
        assertEquals(1, ends.size());
        first.close();
    }

    @Test
    void theAuthorizerIsAskedAgainAboutStreamsAsWell() {
        List<Access.Step> closed = new ArrayList<>();
        options.authorizer((principal, access) -> closed.contains(access.step()) ? "closed" : null);
        Gate gate = gate(RpcPrincipal.process("ann", "ann", 1, 1, 1));
        Gate.Held stream = gate.stream(METHOD, null, 1);
        closed.add(Access.Step.STREAM);
        guard.round(false);
        assertEquals(List.of(), ends, "nobody was asked");
        guard.round(true);
        assertEquals(List.of("process:ann may not stream Orders/watch: closed"), ends);
        stream.close();
        assertThrows(RpcException.class, () -> gate.stream(METHOD, null, 1));
    }

    @Test
    void anAuthorizerThatFailsEndsNoSession() {
        boolean[] fails = new boolean[1];
        options.authorizer((principal, access) -> {
            if (fails[0]) {
                throw new IllegalStateException("the directory is away");
            }
            return null;
        });
        Gate gate = gate(RpcPrincipal.anonymous());
        fails[0] = true;
        guard.round(true);
        assertEquals(List.of(), ends);
        assertEquals(Status.INTERNAL, assertThrows(RpcException.class,
                () -> gate.enter(gate.call(METHOD), null, 1)).status());
    }

    @Test
    void aStreamCountsAsACallUntilItIsOver() {
        options.limits(new PrincipalLimits().maxCalls(1));
        Gate gate = gate(RpcPrincipal.anonymous());
        Gate.Held stream = gate.stream(METHOD, null, 1);
        assertThrows(RpcException.class, () -> gate.enter(gate.call(METHOD), null, 1));
        stream.close();
        stream.close();
        Pass pass = gate.enter(gate.call(METHOD), null, 1);
        assertThrows(RpcException.class, () -> gate.stream(METHOD, null, 1));
        pass.end();
        gate.close();
        guard.round(false);
        assertEquals(0, guard.accounts());
    }

    @Test
    void tokensOfWhoIsRevokedAreRefusedAlsoThoseThatWereNeverSeen() throws Exception {
        options.verifier(token -> RpcPrincipal.token(token, null));
        Gate gate = gate(RpcPrincipal.anonymous());
        gate.enter(gate.call(METHOD), shows("ann"), 1);
        AutoCloseable revocation = guard.revoke(principal -> principal.name().endsWith("ann"));
        for (String token : List.of("ann", "joann")) {
            RpcException e = assertThrows(RpcException.class, () -> gate.enter(gate.call(METHOD), shows(token), 1));
            assertEquals("token:" + token + " is revoked", e.getMessage());
        }
        gate.enter(gate.call(METHOD), shows("bob"), 1);
        revocation.close();
        gate.enter(gate.call(METHOD), shows("ann"), 1);
        assertEquals(List.of(), ends);
    }

    @Test
    void aTokenThatIsRevokedBehindItsVerificationOpensNoStream() {
        options.verifier(token -> RpcPrincipal.token("ann", null));
        List<AutoCloseable> revocations = new ArrayList<>();
        options.authorizer((principal, access) -> {
            if (access.step() == Access.Step.STREAM) { // who opens has been looked at, and nothing is held as yet
                revocations.add(guard.revoke(each -> each.name().equals("ann")));
            }
            return null;
        });
        Gate gate = gate(RpcPrincipal.anonymous());
        RpcException e = assertThrows(RpcException.class, () -> gate.stream(METHOD, shows("t"), 1));
        assertEquals(Status.UNAUTHENTICATED, e.status());
        assertEquals(1, revocations.size());
    }

    @Test
    void aStreamOfATokenThatExpiresIsLookedAtWhereNothingElseIs() {
        List<String> threads = new ArrayList<>();
        options.verifier(token -> until(1010));
        guard = new Guard(options, new Environment(System::nanoTime, (task, name) -> {
            threads.add(name);
            return new Thread(() -> { });
        }), "test", () -> now);
        guard.start();
        Gate gate = gate(RpcPrincipal.anonymous());
        assertEquals(List.of(), threads);
        gate.stream(METHOD, shows("t"), 1).close();
        assertEquals(List.of("jvrpc-guard-test"), threads);
    }

    @Test
    void whomAPredicateThrowsAboutIsRevokedAndTheOthersAreLookedAt() throws Exception {
        options.verifier(token -> RpcPrincipal.token(token, null));
        Gate stranger = gate(RpcPrincipal.anonymous());
        Gate ann = gate(RpcPrincipal.process("ann", "users", 7, 7, 1));
        Gate bob = gate(RpcPrincipal.process("bob", "users", 8, 8, 1));
        stranger.enter(stranger.call(METHOD), shows("t"), 1);
        AutoCloseable revocation = guard.revoke(who -> who.group().equals("users") && who.name().equals("ann"));
        assertEquals(2, ends.size(), ends.toString());
        assertTrue(ends.contains("process:ann is revoked"), ends.toString());
        assertTrue(ends.contains("server cannot say whether it has revoked anonymous: java.lang.NullPointerException"),
                ends.toString());
        bob.enter(bob.call(METHOD), null, 1).end();
        assertThrows(RpcException.class, () -> ann.enter(ann.call(METHOD), null, 1));
        revocation.close();
        guard.connect(Who.of(RpcPrincipal.anonymous()));
    }

    @Test
    void aRevocationThatIsTakenBackTwiceTakesNoOtherBack() throws Exception {
        gate(RpcPrincipal.anonymous());
        Predicate<RpcPrincipal> all = who -> true;
        AutoCloseable first = guard.revoke(all);
        AutoCloseable second = guard.revoke(all);
        first.close();
        first.close();
        assertThrows(RpcException.class, () -> guard.connect(Who.of(RpcPrincipal.anonymous())));
        second.close();
        guard.connect(Who.of(RpcPrincipal.anonymous()));
    }

    @Test
    void aSessionThatEndsBeforeItBeginsIsNotCounted() {
        options.limits(new PrincipalLimits().maxSessions(1));
        gate(RpcPrincipal.anonymous()).close();
        Gate late = guard.gate(2, Who.of(RpcPrincipal.anonymous()), ends::add);
        late.close();
        late.begin();
        guard.connect(Who.of(RpcPrincipal.anonymous()));
        guard.round(false);
        assertEquals(0, guard.accounts());
    }

    @Test
    void aServerThatWasToldNothingAsksNobody() {
        guard = new Guard(options, new Environment(System::nanoTime, (task, name) -> new Thread(() -> { })), "test",
                () -> now);
        Gate gate = gate(RpcPrincipal.anonymous());
        assertFalse(gate.isWatching());
        assertTrue(gate.mayRunProgram(METHOD));
        guard.connect(Who.later(() -> null, () -> {
            throw new AssertionError("nobody has to know");
        }));
    }

    @Test
    void anAuditKnowsWhoComesBeforeTheyCanBeGone() {
        gate(RpcPrincipal.anonymous());
        List<String> asked = new ArrayList<>();
        guard.connect(Who.later(() -> null, () -> {
            asked.add("who");
            return null;
        }));
        assertEquals(List.of("who"), asked);
    }

    @Test
    void boundsAreChecked() {
        for (Duration bound : List.of(Duration.ofMillis(99), Duration.ofDays(2), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThrows(IllegalArgumentException.class, () -> options.recheck(bound));
        }
        assertThrows(IllegalArgumentException.class, () -> new PrincipalLimits().maxCalls(-1));
    }

    @Test
    void numbersOfUsersAreFound() {
        assertEquals(0, LocalUsers.process("root", "root", 0).uid());
        assertEquals(0, LocalUsers.process("root", "root", 0).gid());
        assertEquals(12345, LocalUsers.process("12345", "nobody at all", 0).uid());
        assertEquals(RpcPrincipal.UNKNOWN, LocalUsers.process("12345", "nobody at all", 0).gid());
        assertEquals(RpcPrincipal.UNKNOWN, LocalUsers.process("12345", "x", ProcessHandle.current().pid()).pid());
        assertEquals(ProcessHandle.current().pid(), LocalUsers.thisProcess().pid());
    }

    @Test
    void aUserWhoseNameIsANumberHasAnotherNumber(@TempDir Path folder) throws Exception {
        Path users = Files.writeString(folder.resolve("passwd"), "root:x:0:0:\n0:x:4711:4711:\n");
        assertEquals(4711, LocalUsers.number(users, "0"));
        assertEquals(12, LocalUsers.number(users, "12"));
    }
}
