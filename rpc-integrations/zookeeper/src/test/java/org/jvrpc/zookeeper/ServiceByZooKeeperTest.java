package org.jvrpc.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.testing.Waits;

/** Calls to servers that register, as README says. */
@SuppressWarnings("try") // a resolver or server works by being there
final class ServiceByZooKeeperTest {

    /** Says who answered. */
    @RpcService
    public interface Who {

        @RpcMethod(idempotent = true)
        int number();
    }

    private static RpcServer serve(String target, int number) {
        return RpcServer.builder().bind("tcp://127.0.0.1:0").service(Who.class, () -> number).register(target).start();
    }

    private static RpcClient client(String target) {
        return RpcClient.builder(target).connectTimeout(Duration.ofSeconds(20))
                .loadBalancing(LoadBalancing.roundRobin()).retry(RetryPolicy.DEFAULT).connect();
    }

    private static void awaitAnswersOf(Who who, Set<Integer> numbers) {
        Set<Integer> seen = new HashSet<>();
        Waits.until("answers of " + numbers + " alone", () -> {
            seen.clear();
            for (int i = 0; i < 20; i++) {
                seen.add(who.number());
            }
            return seen.equals(numbers);
        }, () -> seen);
    }

    @Test
    void callsGoToTheServersThatAreRegistered() throws Exception {
        try (TestingServer zooKeeper = Sessions.server(true)) {
            String target = "zk://" + zooKeeper.getConnectString() + "/who?session-timeout=2s";
            RpcServer first = serve(target, 1);
            try (RpcClient client = client(target); RpcServer second = serve(target, 2)) {
                Who who = client.stub(Who.class);
                awaitAnswersOf(who, Set.of(1, 2));
                first.shutdown();
                awaitAnswersOf(who, Set.of(2));
                assertTrue(first.awaitTermination(Duration.ofSeconds(20)));
                zooKeeper.stop();
                assertEquals(2, who.number());
            }
        }
    }
}
