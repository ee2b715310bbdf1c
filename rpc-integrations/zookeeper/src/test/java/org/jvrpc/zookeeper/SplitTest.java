package org.jvrpc.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.Registration;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.testing.HeldLine;
import org.jvrpc.testing.Waits;

/** A network that is parted, and an ensemble without a majority. */
@SuppressWarnings("try") // a resolver or server works by being there
final class SplitTest {

    private static final int TICK_MS = 500;

    private final Heard heard = new Heard();

    private static String target(String ensemble) {
        return "zk://" + ensemble + "/orders?session-timeout=2s";
    }

    @Test
    void aServerThatIsPartedFromZooKeeperIsForgottenAndRegisteredAgain() throws Exception {
        try (TestingServer zooKeeper = Sessions.server(true); HeldLine line = new HeldLine(zooKeeper.getPort());
                NameResolver resolver = Heard.resolve(target(zooKeeper.getConnectString()), heard)) {
            Registration a = Heard.register(target(line.address()), "a", "tcp://h:1");
            heard.await("a");
            line.hold();
            heard.await(); // its session expires
            line.release();
            heard.await("a");
            assertEquals(List.of(), heard.errors());
            a.leave();
            heard.await();
        }
    }

    @Test
    void aClientThatIsPartedFromZooKeeperKeepsItsServersUntilItHearsOfOthers() throws Exception {
        try (TestingServer zooKeeper = Sessions.server(true); HeldLine line = new HeldLine(zooKeeper.getPort());
                NameResolver resolver = Heard.resolve(target(line.address()), heard)) {
            String near = target(zooKeeper.getConnectString());
            Registration a = Heard.register(near, "a", "tcp://h:1");
            heard.await("a");
            line.hold();
            Registration b = Heard.register(near, "b", "tcp://h:2");
            a.leave();
            heard.awaitErrors(1);
            assertEquals(Status.UNAVAILABLE, heard.errors().get(0).status());
            assertEquals(List.of(ServerEntry.of("a", "tcp://h:1")), heard.servers());
            line.release();
            heard.await("b");
            b.leave();
            heard.await();
        }
    }

    @Test
    void withoutAMajorityClientsKeepTheirServersAndWithOneTheyHearOfOthers() throws Exception {
        List<InstanceSpec> specs = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            specs.add(new InstanceSpec(null, -1, -1, -1, true, i, TICK_MS, 100));
        }
        try (TestingCluster ensemble = new TestingCluster(specs)) {
            ensemble.start();
            String target = target(ensemble.getConnectString());
            Registration a = Heard.register(target, "a", "tcp://h:1");
            try (NameResolver resolver = Heard.resolve(target, heard)) {
                heard.await("a");
                ensemble.killServer(specs.get(0));
                ensemble.killServer(specs.get(1));
                heard.awaitErrors(1);
                assertEquals(Status.UNAVAILABLE, heard.errors().get(0).status());
                assertEquals(List.of(ServerEntry.of("a", "tcp://h:1")), heard.servers());
                ensemble.restartServer(specs.get(0));
                Registration b = Heard.register(target, "b", "tcp://h:2");
                heard.await("a", "b"); // the first one by its session, or again
                b.leave();
                heard.await("a");
            }
            a.leave();
        }
    }

    @Test
    void withoutZooKeeperANewClientIsToldSoAndWaitsForItAsLongAsItMay() throws Exception {
        try (RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0")
                .service(ServiceByZooKeeperTest.Who.class, () -> 7).start();
                TestingServer zooKeeper = Sessions.server(true)) {
            String target = target(zooKeeper.getConnectString());
            write(zooKeeper, ServerEntry.of("a", server.address()));
            zooKeeper.stop();
            RpcException e = assertThrows(RpcException.class,
                    () -> RpcClient.builder(target).connectTimeout(Duration.ofMillis(200)).connect());
            assertEquals(Status.UNAVAILABLE, e.status());
            assertTrue(e.getMessage().contains("ZooKeeper cannot be reached")
                    && e.getMessage().contains(zooKeeper.getConnectString()), e::getMessage);
            CompletableFuture<Integer> waits = CompletableFuture.supplyAsync(() -> {
                try (RpcClient client = RpcClient.builder(target).connectTimeout(Duration.ofSeconds(60)).connect()) {
                    return client.stub(ServiceByZooKeeperTest.Who.class).number();
                }
            });
            Waits.until("the client to look for it", () -> Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().equals("jvrpc-zk-watch-orders")));
            zooKeeper.restart();
            assertEquals(7, waits.get(Waits.limitNs(), TimeUnit.NANOSECONDS));
        }
    }

    /** Writes a server that no session ends. */
    private static void write(TestingServer zooKeeper, ServerEntry entry) throws Exception {
        try (CuratorFramework curator =
                CuratorFrameworkFactory.newClient(zooKeeper.getConnectString(), new RetryOneTime(100))) {
            curator.start();
            curator.create().creatingParentsIfNeeded().forPath("/services/orders/a",
                    InstanceCodec.encode("orders", entry, 1));
        }
    }
}
