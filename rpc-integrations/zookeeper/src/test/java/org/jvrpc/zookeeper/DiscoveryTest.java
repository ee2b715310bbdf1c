package org.jvrpc.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.curator.x.discovery.ServiceDiscovery;
import org.apache.curator.x.discovery.ServiceDiscoveryBuilder;
import org.apache.curator.x.discovery.ServiceInstance;
import org.apache.curator.x.discovery.details.JsonInstanceSerializer;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.Registration;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.testing.Waits;

/** Servers that come and go at one ZooKeeper that is always there. */
@SuppressWarnings("try") // a resolver or server works by being there
final class DiscoveryTest {

    private static final int SERVERS = 100;
    private static final int STEPS = 150;

    private static TestingServer zooKeeper;
    private static CuratorFramework curator;

    private final Heard heard = new Heard();
    private String service;
    private String target;

    @BeforeAll
    static void start() throws Exception {
        System.setProperty("zookeeper.4lw.commands.whitelist", "cons");
        zooKeeper = Sessions.server(true);
        curator = CuratorFrameworkFactory.newClient(zooKeeper.getConnectString(), new RetryOneTime(100));
        curator.start();
    }

    @AfterAll
    static void end() throws Exception {
        curator.close();
        zooKeeper.close();
    }

    @BeforeEach
    void name(TestInfo test) {
        service = test.getTestMethod().orElseThrow().getName();
        target = "zk://" + zooKeeper.getConnectString() + "/" + service + "?session-timeout=2s";
    }

    private String path(String id) {
        return "/services/" + service + "/" + id;
    }

    private void write(String id, byte[] bytes) throws Exception {
        curator.create().orSetData().creatingParentsIfNeeded().forPath(path(id), bytes);
    }

    private byte[] entry(String id, String address) {
        return InstanceCodec.encode(service, ServerEntry.of(id, address), 1);
    }

    @Test
    void aClientSeesServersComeAndGo() {
        try (NameResolver resolver = Heard.resolve(target, heard)) {
            heard.await();
            Registration a = Heard.register(target, "a", "tcp://h:1", "shm://orders");
            heard.await("a");
            assertEquals(List.of("tcp://h:1", "shm://orders"), heard.servers().get(0).addresses());
            Registration b = Heard.register(target, "b", "tcp://h:2");
            heard.await("a", "b");
            a.leave();
            heard.await("b");
            b.leave();
            b.leave();
            heard.await();
            resolver.refresh();
            assertEquals(List.of(), heard.errors());
        }
    }

    @Test
    void aClientThatComesLaterSeesThoseThatAreThere() {
        Registration a = Heard.register(target, "a", "tcp://h:1");
        Registration b = Heard.register(target, "b", "tcp://h:2");
        try (NameResolver resolver = Heard.resolve(target, heard)) {
            heard.await("a", "b");
            assertEquals(1, heard.lists());
        } finally {
            a.leave();
            b.leave();
        }
    }

    @Test
    void aServerWhoseSessionExpiredIsThereAgainWithItsIdOnce() throws Exception {
        try (NameResolver resolver = Heard.resolve(target, heard)) {
            Registration a = Heard.register(target, "a", "tcp://h:1");
            heard.await("a");
            long first = curator.checkExists().forPath(path("a")).getEphemeralOwner();
            Sessions.expire(zooKeeper.getConnectString(), first);
            Waits.until("another session's znode", () -> owner("a") != 0 && owner("a") != first);
            heard.await("a");
            assertEquals(List.of("a"), curator.getChildren().forPath("/services/" + service));
            a.leave();
            heard.await();
        }
    }

    @Test
    void aClientWhoseSessionExpiredGoesOn() throws Exception {
        Registration a = Heard.register(target, "a", "tcp://h:1");
        Set<Long> before = Sessions.all(zooKeeper.getPort());
        try (NameResolver resolver = Heard.resolve(target, heard)) {
            heard.await("a");
            Set<Long> own = Sessions.all(zooKeeper.getPort());
            own.removeAll(before);
            assertEquals(1, own.size());
            Sessions.expire(zooKeeper.getConnectString(), own.iterator().next());
            Registration b = Heard.register(target, "b", "tcp://h:2");
            heard.await("a", "b");
            b.leave(); // by now it may have looked at all; this it has to be told of
            heard.await("a");
        } finally {
            a.leave();
        }
    }

    /** Returns the session whose znode a server is; 0 when it is not there. */
    private long owner(String id) {
        try {
            Stat stat = curator.checkExists().forPath(path(id));
            return stat == null ? 0 : stat.getEphemeralOwner();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anotherClassOfUsersFindsServersByXDiscovery() throws Exception {
        Registration a = Heard.register(target, "a", "tls://h:2", "tcp://h:1");
        try (ServiceDiscovery<Object> discovery = ServiceDiscoveryBuilder.builder(Object.class).client(curator)
                .basePath("/services").serializer(new JsonInstanceSerializer<>(Object.class)).build()) {
            discovery.start();
            ServiceInstance<Object> found = discovery.queryForInstance(service, "a");
            assertEquals("h 1 2", found.getAddress() + " " + found.getPort() + " " + found.getSslPort());
            assertEquals(List.of("tls://h:2", "tcp://h:1"), ((Map<?, ?>) found.getPayload()).get("addresses"));
        } finally {
            a.leave();
        }
    }

    @Test
    void aServerThatXDiscoveryRegisteredIsFound() throws Exception {
        try (ServiceDiscovery<Object> discovery = ServiceDiscoveryBuilder.builder(Object.class).client(curator)
                .basePath("/services").serializer(new JsonInstanceSerializer<>(Object.class)).build();
             NameResolver resolver = Heard.resolve(target, heard)) {
            discovery.start();
            discovery.registerService(ServiceInstance.builder().name(service).id("x").address("h").port(1)
                    .payload(new TreeMap<>(Map.of("addresses", List.of("tcp://h:1")))).build());
            heard.await("x");
        }
    }

    @Test
    void aZnodeThatIsNoServerIsLeftOutAndTheOthersAreThere() throws Exception {
        write("none", new byte[0]);
        write("text", "hello".getBytes(StandardCharsets.UTF_8));
        write("long", new byte[900_000]);
        write("name\u202e", entry("other", "tcp://h:1"));
        write("option", new String(entry("option", "tcp://h:1"), StandardCharsets.UTF_8)
                .replace("tcp://h:1", "tls://h:1?trust=/tmp/x").getBytes(StandardCharsets.UTF_8));
        write("good", entry("good", "tcp://h:1"));
        try (NameResolver resolver = Heard.resolve(target, heard)) {
            heard.await("good");
            write("text", entry("text", "tcp://h:2"));
            heard.await("good", "text");
            write("good", "broken".getBytes(StandardCharsets.UTF_8));
            heard.await("text");
            write("text/below", entry("below", "tcp://h:3"));
            write("last", entry("last", "tcp://h:4"));
            heard.await("last", "text");
        }
    }

    @Test
    void aServerThatChangesIsToldWithItsNewAddresses() throws Exception {
        write("a", entry("a", "tcp://h:1"));
        try (NameResolver resolver = Heard.resolve(target, heard)) {
            heard.await("a");
            write("a", entry("a", "tcp://h:2"));
            Waits.until("the new address", () -> heard.servers().equals(List.of(ServerEntry.of("a", "tcp://h:2"))));
        }
    }

    @Test
    void aZnodeThatWasRemovedIsMadeAgain() throws Exception {
        Registration a = Heard.register(target, "a", "tcp://h:1");
        try {
            long first = curator.checkExists().forPath(path("a")).getCzxid();
            curator.delete().forPath(path("a"));
            Waits.until("another znode", () -> owner("a") != 0);
            assertNotEquals(first, curator.checkExists().forPath(path("a")).getCzxid());
        } finally {
            a.leave();
        }
    }

    @Test
    void aSecondServerWithTheSameIdIsRefusedAndTheFirstStays() throws Exception {
        Registration first = Heard.register(target, "a", "tcp://h:1");
        try {
            byte[] registered = curator.getData().forPath(path("a"));
            RpcException e = assertThrows(RpcException.class, () -> new ZooKeeperRegistryProvider().register(target,
                    ServerEntry.of("a", "tcp://h:2"), Heard.context(Duration.ofMillis(500))));
            assertEquals(Status.ALREADY_EXISTS, e.status());
            assertTrue(e.getMessage().contains(path("a")), e::getMessage);
            assertEquals(new String(registered, StandardCharsets.UTF_8),
                    new String(curator.getData().forPath(path("a")), StandardCharsets.UTF_8));
        } finally {
            first.leave();
        }
        assertNull(curator.checkExists().forPath(path("a")));
    }

    @Test
    void aServerWithAnIdThatIsStillTakenIsRegisteredWhenItIsFree() throws Exception {
        Registration first = Heard.register(target, "a", "tcp://h:1");
        try (NameResolver resolver = Heard.resolve(target, heard)) {
            heard.await("a");
            Thread leaver = new Thread(() -> {
                Waits.until("the second to see it", () -> Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("jvrpc-zk-register-" + service)).count() == 2);
                first.leave();
            });
            leaver.start();
            Registration second = Heard.register(target, "a", "tcp://h:2");
            leaver.join();
            Waits.until("the second", () -> heard.servers().equals(List.of(ServerEntry.of("a", "tcp://h:2"))));
            second.leave();
        }
    }

    @Test
    void idsThatAreNoZnodeAreRefused() {
        for (String id : List.of("a/b", ".", "..")) {
            assertThrows(IllegalArgumentException.class, () -> Heard.register(target, id, "tcp://h:1"));
        }
        assertThrows(IllegalArgumentException.class, () -> Heard.register(target, "a", "inproc://x"));
    }

    @Test
    void ofMoreServersThanMayBeTheFirstAreUsed() throws Exception {
        int count = ServerEntry.MAX_SERVERS + 50;
        write("0000", entry("0000", "tcp://h:1"));
        List<CuratorOp> more = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            String id = String.format("%04d", i);
            more.add(curator.transactionOp().create().forPath(path(id), entry(id, "tcp://h:1")));
        }
        curator.transaction().forOperations(more);
        try (NameResolver resolver = Heard.resolve(target, heard)) {
            Waits.until("a list", () -> heard.servers() != null);
            assertEquals(ServerEntry.MAX_SERVERS, heard.servers().size());
            assertEquals("1023", heard.servers().get(ServerEntry.MAX_SERVERS - 1).id());
        }
    }

    @Test
    void afterManyServersCameAndWentTheListIsRight() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        TreeMap<String, byte[]> there = new TreeMap<>();
        try (NameResolver resolver = Heard.resolve(target, heard)) {
            for (int step = 0; step < STEPS; step++) {
                String id = "s" + random.nextInt(SERVERS);
                if (there.containsKey(id) && random.nextBoolean()) {
                    curator.delete().forPath(path(id));
                    there.remove(id);
                } else {
                    there.put(id, entry(id, "tcp://h:" + (1 + random.nextInt(9))));
                    write(id, there.get(id));
                }
            }
            List<ServerEntry> expected = new ArrayList<>();
            for (Map.Entry<String, byte[]> server : there.entrySet()) {
                expected.add(InstanceCodec.decode(service, server.getKey(), server.getValue()));
            }
            Waits.until("the list", () -> expected.equals(heard.servers()),
                    () -> "seed=" + seed + " " + heard.servers() + ", not " + expected);
        }
    }
}
