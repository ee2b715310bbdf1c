package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.history.History.Running;
import org.jvrpc.testing.history.Linearizability;
import org.jvrpc.testing.history.Model;
import org.jvrpc.testing.history.Operation;
import org.jvrpc.testing.history.Register;

/**
 * Nodes as registers, while connections are cut and leaders are paused and killed. ZooKeeper promises that writes are
 * linearizable, and that a session never sees a node go back. A single server's reads are linearizable as well, those
 * that skip its pipeline among them.
 */
class RegisterHistoryTest {

    private static final int CLIENTS = 3;
    private static final int CUTS = 8;
    private static final int OPERATIONS = 60;

    @TempDir
    private Path folder;

    private final long seed = Long.getLong("jvrpc.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final org.jvrpc.testing.history.History history = new org.jvrpc.testing.history.History();
    /** What sessions see. */
    private final History sessions = new History();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private volatile boolean over;

    /** A write of a node. @param version demanded, -1 for none */
    private record Write(int version, long number) {
    }

    /** The version of a node: each write that is done makes the next one. */
    private static final class Versions implements Model<Integer> {

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer state, Operation operation) {
            Write write = (Write) operation.call();
            boolean done = write.version == -1 || write.version == state;
            Object answer = done ? (Object) (state + 1) : Register.REFUSED;
            return operation.isPending() || operation.answer().equals(answer) ? done ? state + 1 : state : null;
        }

        @Override
        public boolean isRead(Object call) {
            return false;
        }
    }

    /** A session, and what it saw last. One thread. */
    private final class Session {

        private final ZooKeeper client;
        private final String name;
        private final SplittableRandom own = random.split();
        private final boolean linearReads;
        private String seenNode = "";
        private int seenVersion;
        private long seenNumber;

        Session(ZooKeeper client, String name, boolean linearReads) {
            this.client = client;
            this.name = name;
            this.linearReads = linearReads;
        }

        private void saw(String node, int version, long number) {
            seenNode = node;
            seenVersion = version;
            seenNumber = number;
        }

        void step(String node) throws KeeperException, InterruptedException {
            try {
                if (own.nextInt(3) == 0) {
                    read(node);
                } else {
                    write(node, node.equals(seenNode) && own.nextBoolean());
                }
                answered.incrementAndGet();
            } catch (KeeperException.ConnectionLossException e) {
                awaitConnected(client);
            }
        }

        private void read(String node) throws KeeperException, InterruptedException {
            Running running = linearReads ? history.begin(name, node, new Register.Get()) : null;
            Stat stat = new Stat();
            long number = Long.parseLong(new String(client.getData(node, false, stat), StandardCharsets.UTF_8));
            if (running != null) {
                running.end(number);
            }
            sessions.read(name, node, "" + number, stat.getVersion());
            saw(node, stat.getVersion(), number);
        }

        private void write(String node, boolean conditional) throws KeeperException, InterruptedException {
            long number = numbers.incrementAndGet();
            int version = conditional ? seenVersion : -1;
            Object call = !linearReads ? new Write(version, number)
                    : conditional ? new Register.Swap(seenNumber, number) : new Register.Set(number);
            Running running = history.begin(name, node, call);
            try {
                int now = client.setData(node, ("" + number).getBytes(StandardCharsets.UTF_8), version).getVersion();
                running.end(linearReads ? Register.DONE : (Object) now);
                sessions.wrote(name, node, "" + number, now);
                saw(node, now, number);
            } catch (KeeperException.BadVersionException e) {
                running.end(Register.REFUSED);
            } catch (KeeperException.ConnectionLossException e) {
                sessions.maybeWrote(name, node, "" + number);
                throw e;
            }
        }
    }

    private CompletableFuture<Void> start(Session session, String node) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        new Thread(() -> {
            try {
                while (!over) {
                    session.step(node);
                }
                end.complete(null);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        }, session.name).start();
        return end;
    }

    private void awaitAnswers(int more, List<CompletableFuture<Void>> threads) {
        long enough = answered.get() + more;
        PluginServer.until("clients to go on", 90,
                () -> answered.get() >= enough || threads.stream().anyMatch(CompletableFuture::isDone));
    }

    /** Has all sessions use a node until something has happened to them. */
    private void use(List<Session> all, String node, Runnable happens) throws Exception {
        over = false;
        create(all.get(0).client, node);
        for (Session session : all) {
            awaitKnown(session.client, node);
        }
        List<CompletableFuture<Void>> threads = all.stream().map(session -> start(session, node)).toList();
        try {
            awaitAnswers(OPERATIONS, threads);
            happens.run();
            awaitAnswers(OPERATIONS, threads);
        } finally {
            over = true;
        }
        threads.forEach(CompletableFuture::join);
    }

    /** Its connection may have been cut as well. */
    private static void create(ZooKeeper client, String node) throws Exception {
        while (true) {
            try {
                client.create(node, new byte[] {'0'}, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                return;
            } catch (KeeperException.NodeExistsException e) {
                return; // made by a try whose answer was lost
            } catch (KeeperException.ConnectionLossException e) {
                awaitConnected(client);
            }
        }
    }

    /** A follower may be behind the majority that made the node; a session never goes back behind what it has seen. */
    private static void awaitKnown(ZooKeeper client, String node) throws Exception {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (System.nanoTime() - limit < 0) {
            try {
                client.sync(node);
                if (client.exists(node, false) != null) {
                    return;
                }
            } catch (KeeperException.ConnectionLossException e) {
                awaitConnected(client);
            }
        }
        throw new AssertionError("a server never heard of " + node);
    }

    private static void awaitConnected(ZooKeeper client) {
        PluginServer.until("the connection to be back", 90, () -> client.getState().isConnected());
    }

    private void check(Model<?> model, List<History.Call> last, int leastPending) {
        List<Operation> all = history.operations();
        long refused = all.stream().filter(operation -> Register.REFUSED.equals(operation.answer())).count();
        long pending = all.stream().filter(Operation::isPending).count();
        System.out.println("operations=" + all.size() + " refused=" + refused + " pending=" + pending);
        Linearizability.check(model, all, named());
        assertEquals(List.of(), sessions.faults(last), named());
        assertTrue(refused > 5 && pending >= leastPending && sessions.acknowledged() > OPERATIONS,
                "refused=" + refused + " pending=" + pending);
    }

    private String named() {
        return "-Djvrpc.seed=" + seed;
    }

    @Test
    void aSingleServersNodesAreRegistersWhileConnectionsAreCut() throws Exception {
        System.out.println(named());
        try (PluginServer server = PluginServer.start(0)) {
            List<Session> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                all.add(new Session(server.client(), "session-" + i, true));
            }
            for (int cut = 0; cut < CUTS; cut++) {
                use(all, "/node" + cut, () -> server.factory().closeAll(DisconnectReason.CLOSE_ALL_CONNECTIONS_FORCED));
            }
        }
        check(Register.of(0), List.of(), 1);
    }

    @Test
    @Timeout(300)
    void anEnsemblesWritesAreLinearizableWhileLeadersArePausedAndKilled() throws Exception {
        System.out.println(named());
        List<History.Call> last = new ArrayList<>();
        try (Ensemble ensemble = new Ensemble(folder); PluginServer clients = PluginServer.startStock()) {
            List<Session> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                all.add(new Session(connect(clients, ensemble), "session-" + i, false));
            }
            use(all, "/paused", () -> {
                int paused = ensemble.awaitLeader("one leads", -1);
                ensemble.server(paused).stop();
                ensemble.awaitLeader("another leads", paused);
                ensemble.server(paused).resume();
            });
            use(all, "/killed", () -> {
                int killed = ensemble.awaitLeader("one leads", -1);
                ensemble.server(killed).kill();
                ensemble.awaitLeader("another leads", killed);
            });
            for (String node : List.of("/paused", "/killed")) {
                last.add(last(connect(clients, ensemble), node));
            }
        }
        check(new Versions(), last, 1);
    }

    private static ZooKeeper connect(PluginServer clients, Ensemble ensemble) throws Exception {
        ZooKeeper made = clients.open(ensemble.addresses(), PluginServer.JVRPC, new PluginServer.Events());
        awaitConnected(made);
        return made;
    }

    private static History.Call last(ZooKeeper client, String node) throws Exception {
        client.sync(node);
        Stat stat = new Stat();
        String value = new String(client.getData(node, false, stat), StandardCharsets.UTF_8);
        return new History.Call("end", node, false, value, stat.getVersion());
    }
}
