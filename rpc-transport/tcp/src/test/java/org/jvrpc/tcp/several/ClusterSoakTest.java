package org.jvrpc.tcp.several;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.balance.ServerState;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.several.Site;

/**
 * Three servers under load, of which one after the other goes and comes back: a few rounds within this process in each
 * build; {@code -Djvrpc.soak.seconds=300} has each in a process of its own, and one go each 5 s for so long.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES) // each: longer than the longest soak
class ClusterSoakTest implements TcpPlaces {

    private static final long SECONDS = Long.getLong("jvrpc.soak.seconds", 0);
    private static final boolean LONG = SECONDS > 0;
    private static final long PERIOD_NS = LONG ? 5_000_000_000L : 100_000_000L;
    private static final int ROUNDS = LONG ? (int) (SECONDS / 5) : 6;
    private static final int MOST_FAILURES = 10;
    private static final ConnectionBackoff SHORT =
            new ConnectionBackoff(Duration.ofMillis(5), 1.6, 0.2, Duration.ofMillis(100));

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();

    /** A call of one kind, which asserts its answer. */
    private interface Call {
        void make(Site site);
    }

    private static final Call TWICE = site -> assertEquals(42L, site.twice(21));
    private static final Call TWICE_LATER = site -> assertEquals(42L, answer(site.twiceLater(21)));
    private static final Call NAME = site -> assertEquals(1, site.name().length());
    private static final Call NAME_LATER = site -> assertEquals(1, ((String) answer(site.nameLater())).length());
    private static final Call HEAVY = site -> assertEquals(1, site.hold().length());

    private static Object answer(CompletableFuture<?> future) {
        Object outcome = Await.outcome(future);
        if (outcome instanceof RpcException e) {
            throw e;
        }
        return outcome;
    }

    @Test
    void noIdempotentCallFailsWhileServersAreKilled() {
        soak("killed", SoakServer::kill, List.of(TWICE, TWICE_LATER));
    }

    @Test
    void noCallFailsWhileServersDrain() {
        soak("drained", SoakServer::drain, List.of(TWICE, NAME, NAME_LATER, HEAVY));
    }

    private SoakServer server(String name) {
        return LONG ? new SoakServer.Elsewhere(name, newAddress()) : new SoakServer.Here(name, newAddress());
    }

    /** @param kinds of calls, of which each has a thread that makes no other */
    private void soak(String how, Consumer<SoakServer> end, List<Call> kinds) {
        List<SoakServer> servers = Stream.of("a", "b", "c").map(this::server).toList();
        String target = "list:" + String.join(",", servers.stream().map(SoakServer::address).toList());
        List<CompletableFuture<List<String>>> callers = new ArrayList<>();
        try (RpcClient client = RpcClient.builder(target).loadBalancing(LoadBalancing.roundRobin())
                .connectionBackoff(SHORT).retry(RetryPolicy.DEFAULT).connect()) {
            kinds.forEach(kind -> callers.add(Await.start(() -> failures(client.stub(Site.class), kind))));
            long beginNs = System.nanoTime();
            for (int round = 0; round < ROUNDS; round++) {
                SoakServer server = servers.get(round % servers.size());
                long left = beginNs + (round + 1) * PERIOD_NS - System.nanoTime();
                LockSupport.parkNanos(LONG ? left : PERIOD_NS);
                end.accept(server);
                server.start();
                Await.until("all to be ready", () -> client.servers().stream().allMatch(one ->
                        one.state() == ServerState.READY));
            }
            over.set(true);
            List<String> failures = callers.stream().flatMap(caller -> Await.join(caller).stream()).toList();
            System.out.println("soak: " + how + " rounds=" + ROUNDS + " s=" + (System.nanoTime() - beginNs)
                    / 1_000_000_000 + " calls=" + calls + " failed=" + failures.size() + " longestMs="
                    + longestNs.get() / 1_000_000);
            assertEquals(List.of(), failures);
            assertTrue(calls.get() > ROUNDS, "calls=" + calls);
        } finally {
            over.set(true);
            servers.forEach(SoakServer::close);
        }
    }

    private List<String> failures(Site site, Call call) {
        List<String> failures = new ArrayList<>();
        while (!over.get() && failures.size() < MOST_FAILURES) {
            long startNs = System.nanoTime();
            try {
                call.make(site);
                calls.incrementAndGet();
            } catch (RpcException e) {
                failures.add(e.toString());
            }
            longestNs.accumulateAndGet(System.nanoTime() - startNs, Math::max);
        }
        return failures;
    }
}
