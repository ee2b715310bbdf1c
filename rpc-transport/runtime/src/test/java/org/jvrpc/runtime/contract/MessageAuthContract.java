package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.Access;
import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.PrincipalLimits;

/** Who has message sessions, whether they may, and what they may send. Servers are of the test's own process. */
public abstract class MessageAuthContract extends MessageFixture {

    private final Recorder server = new Recorder();
    private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();

    /** Returns the kind of principal that the transport tells by itself. */
    protected abstract RpcPrincipal.Kind transportKind();

    private Status refusedWith() {
        return transportKind() == RpcPrincipal.Kind.ANONYMOUS ? Status.UNAUTHENTICATED : Status.PERMISSION_DENIED;
    }

    private Served guarded(ServerProcess.MessageSettings settings) {
        return serve(() -> server, builder -> settings.on(builder.audit(audited::add)));
    }

    private List<AuditEvent.Kind> audited() {
        return audited.stream().map(AuditEvent::kind).toList();
    }

    private RpcException refused() {
        return assertThrows(RpcException.class, () -> builder().connect().close());
    }

    private void awaitEntry() {
        Await.until("the client to come again", () -> {
            try {
                connect();
                return true;
            } catch (RpcException e) {
                return false;
            }
        });
    }

    @Test
    void theTransportSaysWhoIsThere() throws Exception {
        serve(() -> server);
        connect();
        Await.until("the session", () -> server.session != null);
        RpcPrincipal peer = server.session.principal();
        assertEquals(transportKind(), peer.kind());
        if (transportKind() == RpcPrincipal.Kind.PROCESS) {
            assertEquals(((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue(), peer.uid());
        }
    }

    @Test
    void whoMayNotConnectIsToldWhy() {
        AtomicReference<String> refusal = new AtomicReference<>("come again");
        guarded(builder -> builder.authorizer((principal, access) ->
                access.step() == Access.Step.CONNECT && principal.kind() == transportKind() ? refusal.get() : null));
        RpcException e = refused();
        assertEquals(refusedWith(), e.status());
        assertTrue(e.getMessage().contains("may not connect: come again"), e.getMessage());
        refusal.set(null);
        connect();
        Await.until("the session", () -> audited().size() == 2);
        assertEquals(List.of(AuditEvent.Kind.REFUSAL, AuditEvent.Kind.CONNECT), audited());
    }

    @Test
    void sessionsOfAPrincipalAreLimited() {
        guarded(builder -> builder.principalLimits(new PrincipalLimits().maxSessions(2)));
        MessageClient first = connect();
        connect();
        RpcException e = refused();
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        assertTrue(e.getMessage().contains("sessions=2 limit=2"), e.getMessage());
        first.close();
        awaitEntry();
    }

    @Test
    void framesBeyondAPrincipalsBytesWaitAndArriveWhole() {
        int bytes = 1 << 16;
        int frames = 20;
        guarded(builder -> builder.principalLimits(new PrincipalLimits().bytesPerSecond(16L * bytes)));
        MessageClient from = connect();
        long startNs = System.nanoTime();
        for (int i = 0; i < frames; i++) {
            assertTrue(from.session().send(ByteBuffer.wrap(pattern(i, bytes))));
        }
        until("all frames to arrive", from, () -> server.frames.size() == frames);
        long tookNs = System.nanoTime() - startNs;
        assertTrue(tookNs > 150_000_000, "a second may have 16 frames, 20 took ns=" + tookNs);
        int number = 0;
        for (byte[] frame : server.frames) {
            assertArrayEquals(pattern(number++, bytes), frame);
        }
    }

    @Test
    void whoIsRevokedLosesSessionsAndComesNoMoreUntilThatIsTakenBack() throws Exception {
        Served served = guarded(builder -> builder);
        MessageClient one = connect();
        Await.until("the session", () -> server.session != null);
        AutoCloseable revocation = served.revoke(principal -> principal.kind() == transportKind());
        until("the client to lose its session", one, () -> client.ends.get() == 1);
        Await.until("the end", () -> server.ends.get() == 1);
        assertEquals(Status.UNAUTHENTICATED, ((RpcException) server.cause).status());
        assertTrue(server.cause.getMessage().contains("is revoked"), server.cause.getMessage());
        RpcException e = refused();
        assertEquals(Status.UNAUTHENTICATED, e.status());
        assertTrue(e.getMessage().contains("is revoked"), e.getMessage());
        revocation.close();
        awaitEntry();
        assertEquals(1, audited().stream().filter(kind -> kind == AuditEvent.Kind.EXPULSION).count());
    }

    @Test
    void theAuthorizerIsAskedAgainOfThoseWhoAreThere() {
        AtomicReference<String> refusal = new AtomicReference<>();
        guarded(builder -> builder.recheck(Duration.ofMillis(100)).authorizer((principal, access) -> refusal.get()));
        connect();
        Await.until("the session", () -> server.session != null);
        refusal.set("the contract ended");
        Await.until("the end", () -> server.ends.get() == 1);
        assertTrue(server.cause.getMessage().contains("the contract ended"), server.cause.getMessage());
        Await.until("its account", () -> audited().contains(AuditEvent.Kind.DISCONNECT));
    }

    @Test
    void sessionsAreAudited() {
        guarded(builder -> builder);
        connect().close();
        Await.until("the end", () -> audited().size() == 2);
        assertEquals(List.of(AuditEvent.Kind.CONNECT, AuditEvent.Kind.DISCONNECT), audited());
        assertEquals(transportKind(), audited.get(0).principal().kind());
    }
}
