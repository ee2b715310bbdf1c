package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
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
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** Who may stream, who may not any more, and what is written down of it. */
public abstract class StreamAuthContract extends StreamFixture {

    private static final String TOKEN = "s3cret-token-of-ann";
    private static final String SILENCE = Feed.class.getName() + "/silence";
    /** A refusal of an anonymous caller asks who it is. */
    private static final Set<Status> REFUSED = Set.of(Status.PERMISSION_DENIED, Status.UNAUTHENTICATED);

    private final List<Access> asked = new CopyOnWriteArrayList<>();
    private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> refused = new AtomicReference<>("nothing");

    private RpcServer guarded(UnaryOperator<RpcServer.Builder> settings) {
        return serve(builder -> settings.apply(builder.auditCalls(audited::add).recheck(Duration.ofMillis(100)))
                .authorizer((principal, access) -> {
                    asked.add(access);
                    return access.step() == Access.Step.STREAM && access.method().fullName().endsWith(refused.get())
                            ? "it is closed" : null;
                }));
    }

    private List<AuditEvent> audited(AuditEvent.Kind kind) {
        return audited.stream().filter(event -> event.kind() == kind).toList();
    }

    private static RpcException failure(Collector<?> collector) {
        assertEquals("failed", collector.ended());
        return assertInstanceOf(RpcException.class, collector.failure);
    }

    @Test
    void aStreamIsAskedForByItsMethodBehindItsService() {
        Feed feed = connect(guarded(builder -> builder.recheck(Duration.ofHours(1))), builder -> builder)
                .stub(Feed.class);
        asked.clear();
        Collector.of(feed.silence(), 1);
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        Collector.of(feed.silence(), 1);
        Await.until("another", () -> impl.subscribed.get() == 2);
        assertEquals(List.of(Access.Step.CONNECT, Access.Step.OPEN, Access.Step.STREAM, Access.Step.STREAM),
                asked.stream().map(Access::step).toList());
        assertEquals(SILENCE, asked.get(3).method().fullName());
        assertEquals(List.of(SILENCE, SILENCE),
                audited(AuditEvent.Kind.CALL).stream().map(AuditEvent::target).toList());
    }

    @Test
    void aStreamThatIsDeniedReachesNoHandlerAndEndsNoOther() {
        Feed feed = connect(guarded(builder -> builder), builder -> builder).stub(Feed.class);
        Collector<Long> silent = Collector.of(feed.silence(), 1);
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        refused.set("/silence");
        RpcException denied = failure(Collector.of(feed.silence(), 1));
        assertTrue(REFUSED.contains(denied.status()) && denied.getMessage().contains("may not stream " + SILENCE
                + ": it is closed"), denied.toString());
        refused.set("/sum");
        RpcException argument = assertThrows(RpcException.class, () -> feed.sum(new Range<>(Long.MAX_VALUE / 4,
                Long::valueOf, null, impl.cancels)));
        assertTrue(REFUSED.contains(argument.status()), argument.toString());
        Await.until("the publisher that nobody hears to be cancelled", () -> impl.cancels.get() == 1);
        assertEquals(List.of("stream " + SILENCE, "stream " + Feed.class.getName() + "/sum"),
                audited(AuditEvent.Kind.REFUSAL).stream().map(AuditEvent::target).toList());
        refused.set("nothing");
        assertEquals(10, feed.sum(new Range<>(5, Long::valueOf, null, impl.cancels)));
        assertEquals(1, impl.subscribed.get());
        silent.upstream.cancel();
        Await.until("the first to be cancelled", () -> impl.cancels.get() == 2);
    }

    @Test
    void aStreamThatIsDeniedInItsMidstEndsWithItsSession() {
        Feed feed = connect(guarded(builder -> builder), builder -> builder).stub(Feed.class);
        Collector<Long> silent = Collector.of(feed.silence(), 1);
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        refused.set("/silence");
        failure(silent);
        Await.until("its publisher to be cancelled", () -> impl.cancels.get() == 1);
        Await.until("it to be written down", () -> audited(AuditEvent.Kind.EXPULSION).size() == 1);
        Await.until("other streams to go on, by another session", () -> {
            try {
                return feed.sum(new Range<>(5, Long::valueOf, null, impl.cancels)) == 10;
            } catch (RpcException e) {
                // by the session that ends: refused while it says farewell, lost behind that
                assertTrue(e.status() == Status.UNAVAILABLE || e.status() == Status.UNAUTHENTICATED, e.toString());
                return false;
            }
        });
    }

    @Test
    void whoIsRevokedLosesStreamsInTheirMidst() throws Exception {
        RpcServer server = guarded(builder -> builder);
        Feed feed = connect(server, builder -> builder).stub(Feed.class);
        Collector<Long> silent = Collector.of(feed.silence(), 1);
        Await.until("the handler's publisher to be subscribed", () -> impl.subscribed.get() == 1);
        AutoCloseable revocation = server.revoke(principal -> true);
        failure(silent);
        Await.until("its publisher to be cancelled", () -> impl.cancels.get() == 1);
        RpcException again = failure(Collector.of(feed.silence(), 1));
        assertTrue(Set.of(Status.UNAUTHENTICATED, Status.UNAVAILABLE).contains(again.status()), again.toString());
        assertEquals(1, impl.subscribed.get());
        revocation.close();
        Await.until("streams to go on", () -> {
            Collector<Long> more = Collector.of(feed.silence(), 1);
            Await.until("an end or a beginning", () -> more.failure != null || impl.subscribed.get() == 2);
            return more.failure == null;
        });
    }

    @Test
    void aTokenThatExpiresEndsItsStreamsAndIsNotWrittenDown() {
        Instant end = Instant.now().plusMillis(1500);
        RpcServer server = guarded(builder -> builder.tokens(token -> token.equals(TOKEN)
                ? RpcPrincipal.token("ann", end) : null));
        RpcClient client = connect(server, RpcClient.Builder::allowCredentialsInPlain);
        Feed ann = client.stub(Feed.class, CallOptions.DEFAULT.withCredentials(CallCredentials.bearer(() -> TOKEN)));
        Flow.Publisher<Long> silence = ann.silence();
        Collector<Long> silent = Collector.of(silence, 1);
        failure(silent);
        assertFalse(Instant.now().isBefore(end), "it ended before its time");
        assertTrue(impl.subscribed.get() == 0 || impl.cancels.get() == 1 || cancelSeen());
        Await.until("the token to be none, behind the end of the session",
                () -> failure(Collector.of(ann.silence(), 1)).status() == Status.UNAUTHENTICATED);
        assertFalse(audited.toString().contains(TOKEN), audited.toString());
        assertTrue(audited.toString().contains("token:ann"), audited.toString());
    }

    private boolean cancelSeen() {
        Await.until("the publisher to be cancelled", () -> impl.cancels.get() == 1);
        return true;
    }
}
