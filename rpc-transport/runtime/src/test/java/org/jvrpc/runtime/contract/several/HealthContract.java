package org.jvrpc.runtime.contract.several;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.health.Health;
import org.jvrpc.api.health.ServingStatus;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.balance.ServerState;
import org.jvrpc.runtime.balance.ServerStatus;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.RpcUnderTest;
import org.jvrpc.runtime.contract.Third;

/** A client of several servers, which say whether they can serve. */
public abstract class HealthContract implements RpcUnderTest {

    private static final String THIRD = "third";
    private static final Duration PERIOD = Duration.ofMillis(10);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<RpcServer> servers = new ArrayList<>();

    @AfterEach
    final void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    private <C extends AutoCloseable> C keep(C closeable) {
        open.push(closeable);
        return closeable;
    }

    /** Starts a server that answers with its number, from 0. */
    private RpcServer serve(UnaryOperator<RpcServer.Builder> settings) {
        long number = servers.size();
        RpcServer server = keep(settings.apply(RpcServer.builder().bind(newAddress())
                .service(Third.class, sent -> number)).start());
        servers.add(server);
        return server;
    }

    private RpcServer serve() {
        return serve(builder -> builder);
    }

    private RpcClient connect(String service) {
        String target = "list:" + servers.stream().map(server -> clientAddress(server.address()))
                .collect(Collectors.joining(","));
        return keep(RpcClient.builder(target).loadBalancing(LoadBalancing.roundRobin())
                .healthCheck(service, PERIOD).connect());
    }

    private static void await(RpcClient client, ServerState... states) {
        Await.until(List.of(states).toString(),
                () -> client.servers().stream().map(ServerStatus::state).toList().equals(List.of(states)));
    }

    /** Returns which servers answer. */
    private static List<Long> answering(RpcClient client) {
        Third third = client.stub(Third.class);
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            numbers.add(third.sum(0));
        }
        return numbers.stream().distinct().sorted().toList();
    }

    @Test
    void aServerThatCannotServeGetsNoCallsUntilItCanAgain() {
        serve();
        serve();
        serve();
        RpcClient client = connect(THIRD);
        await(client, ServerState.READY, ServerState.READY, ServerState.READY);
        assertEquals(List.of(0L, 1L, 2L), answering(client));
        servers.get(1).health().set(THIRD, ServingStatus.NOT_SERVING);
        await(client, ServerState.READY, ServerState.UNHEALTHY, ServerState.READY);
        assertEquals(List.of(0L, 2L), answering(client));
        assertEquals("it says that " + THIRD + " is NOT_SERVING", client.servers().get(1).reason());
        servers.get(1).health().set(THIRD, ServingStatus.SERVING);
        await(client, ServerState.READY, ServerState.READY, ServerState.READY);
        assertEquals(List.of(0L, 1L, 2L), answering(client));
    }

    @Test
    void aServerThatCannotServeGetsNoCallsFromTheStart() {
        serve().health().set("", ServingStatus.NOT_SERVING);
        serve();
        RpcClient client = connect("");
        assertEquals(List.of(1L), answering(client)); // whichever was connected to first
        await(client, ServerState.UNHEALTHY, ServerState.READY);
    }

    @Test
    void whereNoServerCanServeCallsFailAtOnceWithTheReasonOfEachAndPatientOnesWait() {
        serve();
        serve();
        RpcClient client = connect("");
        Third third = client.stub(Third.class);
        servers.get(0).health().set("", ServingStatus.NOT_SERVING);
        servers.get(1).health().set("", ServingStatus.UNKNOWN);
        await(client, ServerState.UNHEALTHY, ServerState.UNHEALTHY);
        RpcException e = assertThrows(RpcException.class, () -> third.sum(0));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertFalse(e.mayHaveRun());
        for (ServerStatus server : client.servers()) {
            assertTrue(e.getMessage().contains(server.address() + " is UNHEALTHY: " + server.reason()), e.getMessage());
        }
        assertTrue(e.getMessage().contains("the server is NOT_SERVING"), e.getMessage());
        assertTrue(e.getMessage().contains("the server is UNKNOWN"), e.getMessage());
        assertFalse(client.isConnected());
        CompletableFuture<Long> waiting = Await.start(
                () -> client.stub(Third.class, CallOptions.DEFAULT.withWaitForReady()).sum(0));
        servers.get(1).health().set("", ServingStatus.SERVING);
        assertEquals(1L, Await.join(waiting));
    }

    @Test
    void aServerThatDoesNotKnowTheServiceGetsNoCalls() {
        serve();
        serve().health().set("shard-7", ServingStatus.SERVING);
        RpcClient client = connect("shard-7");
        await(client, ServerState.UNHEALTHY, ServerState.READY);
        assertEquals("it says that shard-7 is SERVICE_UNKNOWN", client.servers().get(0).reason());
    }

    @Test
    void aServerWithoutHealthOfAnEarlierVersionGetsCalls() {
        serve(builder -> builder.intercept((call, next) -> {
            if (call.method().service().equals(Health.class.getName())) {
                throw new RpcException(Status.UNIMPLEMENTED, "as the test wants");
            }
            next.proceed();
        }));
        serve().health().set("", ServingStatus.NOT_SERVING);
        RpcClient client = connect("");
        await(client, ServerState.READY, ServerState.UNHEALTHY);
        assertEquals(List.of(0L), answering(client));
    }

    @Test
    void whoMayNotAskCannotKnowAndCallsGoToOthers() {
        serve(builder -> builder.authorizer((principal, access) ->
                Health.class.getName().equals(access.service()) ? "health is not for everybody" : null));
        serve();
        RpcClient client = connect("");
        await(client, ServerState.UNHEALTHY, ServerState.READY);
        assertEquals(List.of(1L), answering(client));
        String reason = client.servers().get(0).reason();
        assertTrue(reason.contains("health is not for everybody"), reason);
    }

    @Test
    void aServerThatDoesNotAnswerInItsTimeGetsNoCallsUntilItDoes() {
        CountDownLatch gate = new CountDownLatch(1);
        serve(builder -> builder.intercept((call, next) -> {
            if (!gate.await(Await.BOUND_NS, TimeUnit.NANOSECONDS)) {
                throw new AssertionError("nobody opens the gate");
            }
            next.proceed();
        }));
        open.push(gate::countDown); // before the server closes
        serve();
        RpcClient client = connect("");
        assertEquals(List.of(1L), answering(client));
        await(client, ServerState.UNHEALTHY, ServerState.READY);
        String reason = client.servers().get(0).reason();
        assertTrue(reason.contains("health check failed: DEADLINE_EXCEEDED"), reason);
        gate.countDown();
        await(client, ServerState.READY, ServerState.READY);
        assertEquals(List.of(0L, 1L), answering(client));
    }

    @Test
    void eachServerAnswersWhoAsksForItsHealth() {
        RpcServer server = serve();
        Health health = keep(RpcClient.connect(clientAddress(server.address()))).stub(Health.class);
        assertEquals(ServingStatus.SERVING, health.check(""));
        assertEquals(ServingStatus.SERVING, health.check(THIRD));
        assertEquals(ServingStatus.SERVICE_UNKNOWN, health.check("org.acme.None"));
        server.health().set("", ServingStatus.NOT_SERVING);
        assertEquals(ServingStatus.NOT_SERVING, health.check(""));
        server.shutdown();
        assertEquals(ServingStatus.NOT_SERVING, server.health().status(THIRD));
    }
}
