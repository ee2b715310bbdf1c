package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.samples.zookeeper.PluginServer.Events;

/** Three servers with the plugin, clients over it, and a leader that is killed. */
class EnsembleTest {

    private static final int REGISTERS = 3;
    private static final int CLIENTS = 3;
    private static final int AFTERWARDS = 60;

    @TempDir
    private Path folder;

    private Ensemble ensemble;
    private final History history = new History();
    private final AtomicLong values = new AtomicLong();
    private final ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private volatile boolean stopping;

    @AfterEach
    void killAll() {
        if (ensemble != null) {
            ensemble.close();
        }
    }

    private static String register(int number) {
        return "/register" + number;
    }

    /** Writes and reads registers until the test stops. */
    private void load(ZooKeeper client, String name, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        while (!stopping) {
            String path = register(random.nextInt(REGISTERS));
            String value = name + "-" + values.incrementAndGet();
            boolean write = random.nextBoolean();
            try {
                if (write) {
                    Stat stat = client.setData(path, value.getBytes(StandardCharsets.UTF_8), -1);
                    history.wrote(name, path, value, stat.getVersion());
                } else {
                    Stat stat = new Stat();
                    byte[] data = client.getData(path, false, stat);
                    history.read(name, path, new String(data, StandardCharsets.UTF_8), stat.getVersion());
                }
            } catch (KeeperException.ConnectionLossException e) {
                if (write) {
                    history.maybeWrote(name, path, value);
                }
            } catch (KeeperException | InterruptedException e) {
                thrown.add(e);
                return;
            }
        }
    }

    @Test
    @Timeout(300)
    void noAcknowledgedWriteIsLostWhenTheLeaderIsKilledUnderLoad() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        ensemble = new Ensemble(folder);
        try (PluginServer clients = PluginServer.startStock()) {
            List<Thread> threads = new ArrayList<>();
            ZooKeeper first = connect(clients);
            for (int i = 0; i < REGISTERS; i++) {
                first.create(register(i), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            for (int i = 0; i < CLIENTS; i++) {
                ZooKeeper client = connect(clients);
                String name = "client" + i;
                long own = seed + i;
                threads.add(new Thread(() -> load(client, name, own), name));
            }
            threads.forEach(Thread::start);
            PluginServer.until("there is load", 60, () -> history.acknowledged() >= AFTERWARDS);
            int killed = ensemble.awaitLeader("one leads", -1);
            ensemble.server(killed).kill();
            long before = history.acknowledged();
            int next = ensemble.awaitLeader("another leads", -1);
            PluginServer.until("clients go on", 90, () -> history.acknowledged() >= before + AFTERWARDS);
            stopping = true;
            for (Thread thread : threads) {
                thread.join(60_000);
                assertFalse(thread.isAlive(), thread.getName() + " does not end");
            }
            assertEquals(List.of(), List.copyOf(thrown));
            List<History.Call> last = last(connect(clients));
            System.out.println("acknowledged=" + history.acknowledged() + " before the kill=" + before + " unknown="
                    + history.unknown());
            assertEquals(List.of(), history.faults(last));
            assertTrue(next != killed);
        }
    }

    private ZooKeeper connect(PluginServer clients) throws Exception {
        Events events = new Events();
        ZooKeeper made = clients.open(ensemble.addresses(), PluginServer.JVRPC, events);
        events.await(KeeperState.SyncConnected);
        return made;
    }

    private static List<History.Call> last(ZooKeeper client) throws Exception {
        List<History.Call> last = new ArrayList<>();
        for (int i = 0; i < REGISTERS; i++) {
            last.add(last(client, register(i)));
        }
        return last;
    }

    private static History.Call last(ZooKeeper client, String register) throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                client.sync(register);
                Stat stat = new Stat();
                byte[] data = client.getData(register, false, stat);
                return new History.Call(
                        "end", register, false, new String(data, StandardCharsets.UTF_8), stat.getVersion());
            } catch (KeeperException.ConnectionLossException e) {
                if (tries == 60) {
                    throw e;
                }
            }
        }
    }
}
