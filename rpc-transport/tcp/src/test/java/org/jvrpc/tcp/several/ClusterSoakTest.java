package org.jvrpc.tcp.several;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.balance.ServerState;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.several.Site;
import org.jvrpc.runtime.contract.several.SiteServer;

/**
 * Three servers under load, of which one after the other goes and comes back: a few rounds in each build;
 * {@code -Djvrpc.soak.seconds=300} has one go each 5 s for so long.
 */
class ClusterSoakTest implements TcpPlaces {

    private static final long SECONDS = Long.getLong("jvrpc.soak.seconds", 0);
    private static final long PERIOD_NS = SECONDS > 0 ? 5_000_000_000L : 100_000_000L;
    private static final int ROUNDS = SECONDS > 0 ? (int) (SECONDS / 5) : 6;
    private static final ConnectionBackoff SHORT =
            new ConnectionBackoff(Duration.ofMillis(5), 1.6, 0.2, Duration.ofMillis(100));

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong calls = new AtomicLong();

    @Test
    void noIdempotentCallFailsWhileServersAreKilled() {
        soak(SiteServer::kill, site -> site.twice(21), 42L);
    }

    @Test
    void noCallFailsWhileServersDrain() {
        soak(SiteServer::drain, site -> site.name().length(), 1);
    }

    private void soak(Consumer<SiteServer> end, Function<Site, Object> call, Object answer) {
        List<SiteServer> sites = List.of(new SiteServer("a", newAddress()), new SiteServer("b", newAddress()),
                new SiteServer("c", newAddress()));
        String target = "list:" + String.join(",", sites.stream().map(site -> site.address).toList());
        List<CompletableFuture<List<String>>> callers = new ArrayList<>();
        try (RpcClient client = RpcClient.builder(target).loadBalancing(LoadBalancing.roundRobin())
                .connectionBackoff(SHORT).retry(RetryPolicy.DEFAULT).connect()) {
            for (int i = 0; i < 2; i++) {
                callers.add(Await.start(() -> failures(client.stub(Site.class), call, answer)));
            }
            for (int round = 0; round < ROUNDS; round++) {
                SiteServer site = sites.get(round % sites.size());
                LockSupport.parkNanos(PERIOD_NS);
                end.accept(site);
                site.start();
                Await.until("all to be ready", () -> client.servers().stream().allMatch(one ->
                        one.state() == ServerState.READY));
            }
            over.set(true);
            for (CompletableFuture<List<String>> caller : callers) {
                assertEquals(List.of(), Await.join(caller));
            }
            System.out.println("soak: rounds=" + ROUNDS + " calls=" + calls + " failed=0");
            assertTrue(calls.get() > ROUNDS, "calls=" + calls);
        } finally {
            over.set(true);
            sites.forEach(SiteServer::close);
        }
    }

    private List<String> failures(Site site, Function<Site, Object> call, Object answer) {
        List<String> failures = new ArrayList<>();
        while (!over.get() && failures.size() < 10) {
            try {
                assertEquals(answer, call.apply(site));
                calls.incrementAndGet();
            } catch (RpcException e) {
                failures.add(e.toString());
            }
        }
        return failures;
    }
}
