package org.jvrpc.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.Registration;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.testing.Waits;

/** ZooKeeper goes, comes back, is not there or does not answer. */
@SuppressWarnings("try") // a resolver or server works by being there
final class OutageTest {

    /** Far less than what is waited for where a close hangs. */
    private static final long CLOSE_NS = Waits.limitNs();
    private static final Duration HANGS = Duration.ofMinutes(10);

    private final Heard heard = new Heard();

    private static String target(String ensemble) {
        return "zk://" + ensemble + "/orders?session-timeout=2s";
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive).collect(Collectors.toSet());
    }

    private static void awaitNoMoreThreads(Set<Thread> before) {
        Waits.until("the threads to end", () -> before.containsAll(threads()), () -> {
            Set<Thread> more = threads();
            more.removeAll(before);
            return more;
        });
    }

    @Test
    void aClientGoesOnWithWhatItKnowsAndHearsOfWhatIsNewWhenZooKeeperIsBack() throws Exception {
        try (TestingServer zooKeeper = Sessions.server(true)) {
            String target = target(zooKeeper.getConnectString());
            Registration a = Heard.register(target, "a", "tcp://h:1");
            try (NameResolver resolver = Heard.resolve(target, heard)) {
                heard.await("a");
                zooKeeper.stop();
                heard.awaitErrors(1);
                assertEquals(Status.UNAVAILABLE, heard.errors().get(0).status());
                zooKeeper.restart();
                Registration b = Heard.register(target, "b", "tcp://h:2");
                heard.await("a", "b");
                assertEquals(1, heard.errors().size());
                b.leave();
                heard.await("a");
            }
            a.leave();
        }
    }

    @Test
    void aServerAndAClientThatWereThereBeforeZooKeeperMeet() throws Exception {
        try (TestingServer zooKeeper = Sessions.server(false)) {
            String target = target(zooKeeper.getConnectString());
            try (NameResolver resolver =
                    new ZooKeeperResolverProvider().open(target, Heard.context(Duration.ofMillis(300)))) {
                resolver.start(heard);
                heard.awaitErrors(1);
                assertEquals(Status.UNAVAILABLE, heard.errors().get(0).status());
                zooKeeper.start();
                Registration a = Heard.register(target, "a", "tcp://h:1");
                heard.await("a");
                a.leave();
            }
        }
    }

    @Test
    void aServerThatCannotRegisterInTimeSaysWhere() throws IOException {
        Set<Thread> before = threads();
        try (ServerSocket dead = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String target = target("127.0.0.1:" + dead.getLocalPort());
            RpcException e = assertThrows(RpcException.class, () -> new ZooKeeperRegistryProvider().register(target,
                    ServerEntry.of("a", "tcp://h:1"), Heard.context(Duration.ofMillis(300))));
            assertEquals(Status.UNAVAILABLE, e.status());
            assertTrue(e.getMessage().contains("127.0.0.1:" + dead.getLocalPort()), e::getMessage);
        }
        awaitNoMoreThreads(before);
    }

    @Test
    void closingWhileZooKeeperIsGoneReturnsSoonAndLeavesNoThread() throws Exception {
        Set<Thread> before = threads();
        try (TestingServer zooKeeper = Sessions.server(true)) {
            String target = target(zooKeeper.getConnectString());
            Registration a = new ZooKeeperRegistryProvider().register(target, ServerEntry.of("a", "tcp://h:1"),
                    Heard.context(HANGS));
            NameResolver resolver = Heard.resolve(target, heard);
            heard.await("a");
            zooKeeper.stop();
            long begunNs = System.nanoTime();
            resolver.close();
            a.leave();
            resolver.close();
            assertTrue(System.nanoTime() - begunNs < CLOSE_NS);
        }
        awaitNoMoreThreads(before);
    }

    @Test
    void closingWhileZooKeeperDoesNotAnswerReturnsSoon() throws IOException {
        try (ServerSocket dead = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            NameResolver resolver = Heard.resolve(target("127.0.0.1:" + dead.getLocalPort()), heard);
            long begunNs = System.nanoTime();
            resolver.close();
            assertTrue(System.nanoTime() - begunNs < CLOSE_NS);
        }
    }

    @Test
    void aListenerThatWasClosedHearsNothing() throws Exception {
        try (TestingServer zooKeeper = Sessions.server(true)) {
            String target = target(zooKeeper.getConnectString());
            NameResolver resolver = Heard.resolve(target, heard);
            heard.await();
            resolver.close();
            Registration a = Heard.register(target, "a", "tcp://h:1");
            a.leave();
            assertEquals(1, heard.lists());
        }
    }

    @Test
    void anEnsembleThatLosesAServerGoesOn() throws Exception {
        try (TestingCluster ensemble = new TestingCluster(3)) {
            ensemble.start();
            String target = target(ensemble.getConnectString());
            Registration a = Heard.register(target, "a", "tcp://h:1");
            try (NameResolver resolver = Heard.resolve(target, heard)) {
                heard.await("a");
                InstanceSpec first = ensemble.getInstances().iterator().next();
                ensemble.killServer(first);
                Registration b = Heard.register(target, "b", "tcp://h:2");
                heard.await("a", "b");
                b.leave();
                heard.await("a");
            }
            a.leave();
        }
    }
}
