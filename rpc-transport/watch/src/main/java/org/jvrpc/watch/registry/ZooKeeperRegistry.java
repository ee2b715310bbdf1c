package org.jvrpc.watch.registry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Registry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Agents from ZooKeeper: each has an ephemeral znode, which goes when it dies. While the ensemble is gone the list
 * stays as it was, and for two session timeouts after it is back nobody is missed: others have to find it again, too.
 * Works by a thread of its own. Any thread.
 */
public final class ZooKeeperRegistry implements Registry {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperRegistry.class);
    private static final int RETRY_MS = 100;
    private static final long FIRST_PAUSE_NS = 100_000_000;
    private static final long MOST_PAUSE_NS = 5_000_000_000L;
    private static final long IDLE_NS = 60_000_000_000L;
    private static final int MOST_BYTES = 4096;
    private static final int MOST_AGENTS = 10_000;
    private static final long END_MS = 3_000;

    private final String ensemble;
    private final String path;
    private final AgentInfo self;
    private final int sessionMs;
    private final Thread thread;
    private final Watcher watcher = event -> {
        if (event.getType() != EventType.None) {
            wake();
        }
    };
    private volatile State state;

    private boolean awake; // this and what follows is under the lock of this
    private boolean connected;
    private boolean anew;
    private boolean closed;

    private final Map<String, AgentInfo> known = new TreeMap<>(); // this and what follows is the thread's
    private long holdUntilNs;
    private long pauseNs;

    /** What is known; replaced as a whole. */
    private record State(long epoch, List<AgentInfo> agents, String trouble) { }

    private ZooKeeperRegistry(String ensemble, String path, AgentInfo self, int sessionMs) {
        this.ensemble = ensemble;
        this.path = path;
        this.self = self;
        this.sessionMs = sessionMs;
        this.state = new State(0, List.of(), "ZooKeeper at " + ensemble + " was not reached yet");
        this.thread = new Thread(this::run, "jvrpc-agents");
        thread.setDaemon(true);
    }

    /**
     * Begins to look, and to put an agent there; waits for neither.
     *
     * @param ensemble host:port, and more with commas between
     * @param path of the znode that has those of agents, for instance {@code /jvrpc/pingmesh}
     * @param self who is put there; null for one who only reads
     * @param sessionMs after how many milliseconds without a word an agent is gone, 100 to 600,000
     * @throws IllegalArgumentException for what cannot be one of these
     */
    public static ZooKeeperRegistry open(String ensemble, String path, AgentInfo self, int sessionMs) {
        if (!ensemble.matches("[^/,\\s]+:\\d{1,5}(,[^/,\\s]+:\\d{1,5})*") || !path.matches("(/[\\w.-]+)+")
                || sessionMs < 100 || sessionMs > 600_000) {
            throw new IllegalArgumentException("ensemble=" + ensemble + " path=" + path + " sessionMs=" + sessionMs
                    + ": host:port[,host:port], /name[/name] and 100 to 600000 are wanted");
        }
        if (self != null) {
            AgentLine.format(self); // refuses what others would
        }
        ZooKeeperRegistry registry = new ZooKeeperRegistry(ensemble, path, self, sessionMs);
        registry.thread.start();
        return registry;
    }

    private synchronized void wake() {
        awake = true;
        notifyAll();
    }

    private synchronized void changed(ConnectionState to) {
        connected = to.isConnected();
        anew |= connected;
        notifyAll();
    }

    private void run() {
        CuratorFramework zooKeeper = CuratorFrameworkFactory.builder().connectString(ensemble)
                .sessionTimeoutMs(sessionMs).connectionTimeoutMs(sessionMs).retryPolicy(new RetryOneTime(RETRY_MS))
                .ensembleTracker(false).build();
        try (zooKeeper) {
            zooKeeper.getConnectionStateListenable().addListener((same, to) -> changed(to));
            zooKeeper.start();
            for (long waitNs = IDLE_NS; await(waitNs);) {
                waitNs = step(zooKeeper);
            }
        } catch (InterruptedException e) {
            LOG.trace("{}: closed", ensemble); // which is what interrupts
        }
    }

    /** Waits until there is something to do. @return false when it is closed */
    private synchronized boolean await(long limitNs) throws InterruptedException {
        long untilNs = System.nanoTime() + limitNs;
        for (long leftNs = limitNs; !closed && !awake && !anew && leftNs > 0; leftNs = untilNs - System.nanoTime()) {
            if (!connected && state.trouble == null) {
                break; // which is to be said
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
        awake = false;
        return !closed;
    }

    /** @return how long until it is to be called again, in nanoseconds */
    private long step(CuratorFramework zooKeeper) throws InterruptedException {
        synchronized (this) {
            if (!connected) {
                anew = false; // else this would be called again and again
                trouble("ZooKeeper at " + ensemble + " cannot be reached: the list of agents is that of before");
                return IDLE_NS;
            }
            if (anew) {
                anew = false;
                holdUntilNs = System.nanoTime() + (state.epoch > 0 ? 2L * sessionMs * 1_000_000 : 0);
            }
        }
        try {
            if (self != null) {
                stand(zooKeeper);
            }
            list(zooKeeper);
            pauseNs = 0;
            long holdNs = holdUntilNs - System.nanoTime();
            return holdNs > 0 ? holdNs : IDLE_NS;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // which is how Curator's calls end
            trouble("ZooKeeper at " + ensemble + path + ": " + e.getMessage());
            pauseNs = Math.min(MOST_PAUSE_NS, Math.max(FIRST_PAUSE_NS, 2 * pauseNs));
            return pauseNs;
        }
    }

    private void trouble(String why) {
        if (!why.equals(state.trouble)) {
            LOG.warn("{}", why);
            state = new State(state.epoch, state.agents, why);
        }
    }

    /** Sees to it that the own znode is there and this session's. */
    private void stand(CuratorFramework zooKeeper) throws Exception {
        String own = path + "/" + self.id() + "-" + Long.toHexString(self.incarnation());
        long session = zooKeeper.getZookeeperClient().getZooKeeper().getSessionId();
        Stat stat = zooKeeper.checkExists().usingWatcher(watcher).forPath(own);
        if (stat != null && stat.getEphemeralOwner() != session) { // of a session before, which goes soon
            try {
                zooKeeper.delete().withVersion(stat.getVersion()).forPath(own);
            } catch (KeeperException.NoNodeException e) {
                LOG.trace("{} went by itself", own);
            }
            stat = null;
        }
        if (stat == null) {
            zooKeeper.create().creatingParentsIfNeeded().withMode(CreateMode.EPHEMERAL)
                    .forPath(own, AgentLine.format(self).getBytes(StandardCharsets.UTF_8));
            zooKeeper.checkExists().usingWatcher(watcher).forPath(own);
        }
    }

    private void list(CuratorFramework zooKeeper) throws Exception {
        List<String> names;
        try {
            names = zooKeeper.getChildren().usingWatcher(watcher).forPath(path);
        } catch (KeeperException.NoNodeException e) {
            zooKeeper.create().creatingParentsIfNeeded().forPath(path);
            names = zooKeeper.getChildren().usingWatcher(watcher).forPath(path);
        }
        String bad = names.size() <= MOST_AGENTS ? null
                : path + " has " + names.size() + " agents, limit=" + MOST_AGENTS;
        Map<String, AgentInfo> found = new HashMap<>();
        for (String name : names.stream().sorted().limit(MOST_AGENTS).toList()) {
            AgentInfo agent = known.get(name); // what a znode says does not change
            try {
                found.put(name, agent != null ? agent : read(zooKeeper, path + "/" + name));
            } catch (IllegalArgumentException e) {
                bad = bad != null ? bad : path + "/" + name + ": " + e.getMessage();
            } catch (KeeperException.NoNodeException e) {
                LOG.trace("{} went", name); // the watch tells
            }
        }
        if (System.nanoTime() - holdUntilNs < 0) {
            keep(found);
        }
        bad = bad == null ? AgentLine.clash(found.values()) : bad;
        if (!found.keySet().equals(known.keySet()) || state.epoch == 0) {
            known.clear();
            known.putAll(found);
            state = new State(state.epoch + 1, new ArrayList<>(known.values()), bad);
        } else {
            state = new State(state.epoch, state.agents, bad);
        }
    }

    /** Adds those that have not come back yet and have no successor. */
    private void keep(Map<String, AgentInfo> found) {
        Set<Integer> ids = new HashSet<>();
        found.values().forEach(agent -> ids.add(agent.id()));
        known.forEach((name, agent) -> {
            if (!ids.contains(agent.id())) {
                found.put(name, agent);
            }
        });
    }

    private static AgentInfo read(CuratorFramework zooKeeper, String at) throws Exception {
        byte[] bytes = zooKeeper.getData().forPath(at);
        if (bytes == null || bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException("an agent has at most " + MOST_BYTES + " bytes");
        }
        return AgentLine.parse(new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public long epoch() {
        return state.epoch;
    }

    @Override
    public List<AgentInfo> agents() {
        return state.agents;
    }

    @Override
    public String trouble() {
        return state.trouble;
    }

    /** Ends it, and the session with the own znode, within 3 s. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(END_MS);
            if (thread.isAlive()) {
                thread.interrupt(); // waits for an answer
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
