package org.jvrpc.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.thread.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of a service, by one watch of the znode that they are under: all are read when there is a connection, and
 * later those that changed. A znode's length is asked for before its bytes. A znode that is no server is left out, with
 * one line in the log for each of its versions. Any thread; the listener is called by the worker's.
 */
final class ServiceWatch implements NameResolver {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceWatch.class);
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(1500);
    private static final long LOG_PERIOD_NS = 1_000_000_000;
    /** Of the znodes under a service, those that are looked at: the first by name. */
    private static final int MAX_ZNODES = 4 * ServerEntry.MAX_SERVERS;
    /** Of a znode whose name is not even asked for. */
    private static final Stat NO_ID = new Stat();

    private final ZooKeeperTarget target;
    private final EnsembleWorker worker;
    private final ResolverContext context;
    private final Watcher watcher = this::changed;
    private final Map<String, Known> znodes = new TreeMap<>(); // the worker's
    private final LogLimit complaints = new LogLimit(LOG_PERIOD_NS);
    private final Changes changes = new Changes();
    private List<ServerEntry> told; // the worker's
    private volatile Listener listener;

    /** A version of a znode, and the server that it says; null when it says none. */
    private record Known(long zxid, ServerEntry server) {
    }

    /** Which znodes changed. Any thread. */
    private static final class Changes {

        private final Set<String> names = new HashSet<>();
        private boolean all;

        synchronized void add(String name) {
            if (names.size() < ServerEntry.MAX_SERVERS) {
                names.add(name);
            } else {
                all = true;
            }
        }

        synchronized void addAll() {
            all = true;
        }

        /** Returns names, or null for all. */
        synchronized Set<String> take() {
            Set<String> taken = all ? null : Set.copyOf(names);
            all = false;
            names.clear();
            return taken;
        }
    }

    ServiceWatch(ZooKeeperTarget target, ResolverContext context) {
        this.target = target;
        this.context = context;
        this.worker = new EnsembleWorker(target, context, "jvrpc-zk-watch-" + target.service(),
                new EnsembleWorker.Work() {
                    @Override
                    public void run(CuratorFramework zooKeeper, boolean anew) throws Exception {
                        look(zooKeeper, anew);
                    }

                    @Override
                    public void failed(RpcException why) {
                        told = null;
                        if (!worker.isClosed()) {
                            listener.onError(why);
                        }
                    }
                });
    }

    @Override
    public void start(Listener who) {
        listener = who;
        worker.start();
    }

    @Override
    public void refresh() {
        // ZooKeeper tells of changes by itself
    }

    @Override
    public void close() {
        worker.close(CLOSE_LIMIT);
    }

    private void changed(WatchedEvent event) {
        String path = event.getPath();
        String parent = target.servicePath() + "/";
        if (path == null || !path.startsWith(parent)) {
            return; // of the connection, or of the service's own znode
        }
        String name = path.substring(parent.length());
        if (name.indexOf('/') < 0) {
            changes.add(name);
            worker.wake();
        }
    }

    private void look(CuratorFramework zooKeeper, boolean anew) throws Exception {
        Set<String> changed = changes.take();
        try {
            if (anew) {
                zooKeeper.watchers().add().withMode(AddWatchMode.PERSISTENT_RECURSIVE).usingWatcher(watcher)
                        .forPath(target.servicePath());
            }
            if (anew || changed == null) {
                lookAtAll(zooKeeper);
            } else {
                for (String name : changed) {
                    lookAt(zooKeeper, name);
                }
            }
        } catch (Exception e) {
            changes.addAll(); // it is not known how far this came
            throw e;
        }
        tell();
    }

    private void lookAtAll(CuratorFramework zooKeeper) throws Exception {
        List<String> names = names(zooKeeper);
        znodes.keySet().retainAll(new HashSet<>(names));
        for (String name : names) {
            lookAt(zooKeeper, name);
        }
    }

    private List<String> names(CuratorFramework zooKeeper) throws Exception {
        try {
            List<String> names = zooKeeper.getChildren().forPath(target.servicePath());
            if (names.size() > MAX_ZNODES) {
                complain("of " + names.size() + " znodes the first " + MAX_ZNODES + " are looked at");
            }
            return names.stream().sorted().limit(MAX_ZNODES).toList();
        } catch (KeeperException.NoNodeException e) {
            return List.of(); // nobody has registered yet
        }
    }

    private void lookAt(CuratorFramework zooKeeper, String name) throws Exception {
        String path = target.servicePath() + "/" + name;
        try {
            Stat stat = isId(name) ? zooKeeper.checkExists().forPath(path) : NO_ID;
            if (stat == null) {
                znodes.remove(name);
                return;
            }
            Known known = znodes.get(name);
            if (known != null && known.zxid == stat.getMzxid() || known == null && znodes.size() >= MAX_ZNODES) {
                return;
            }
            znodes.put(name, new Known(stat.getMzxid(), read(zooKeeper, path, name, stat)));
        } catch (KeeperException.NoNodeException e) {
            znodes.remove(name);
        }
    }

    private static boolean isId(String name) {
        return name.length() <= ServerEntry.MAX_ID && name.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    /** Returns the server that a znode says, null for none. */
    private ServerEntry read(CuratorFramework zooKeeper, String path, String name, Stat stat) throws Exception {
        try {
            if (stat == NO_ID) {
                throw new BadInstanceException("its name is no id");
            }
            if (stat.getDataLength() > InstanceCodec.MAX_BYTES) {
                throw new BadInstanceException("it is too long: bytes=" + stat.getDataLength() + ", at most "
                        + InstanceCodec.MAX_BYTES);
            }
            return InstanceCodec.decode(target.service(), name, zooKeeper.getData().forPath(path));
        } catch (BadInstanceException e) {
            complain("znode " + BadInstanceException.shown(name) + " is no server and is left out: " + e.getMessage());
            return null;
        }
    }

    private void complain(String of) {
        long kept = complaints.pass(context.nanoTime().getAsLong());
        if (kept != LogLimit.KEEP_BACK) {
            LOG.warn("{}: {}{}", target, of, kept == 0 ? "" : " (and " + kept + " more, which were not told of)");
        }
    }

    private void tell() {
        List<ServerEntry> servers = new ArrayList<>();
        for (Known known : znodes.values()) {
            if (known.server != null && servers.size() < ServerEntry.MAX_SERVERS) {
                servers.add(known.server);
            }
        }
        if (!servers.equals(told) && !worker.isClosed()) {
            told = servers;
            listener.onServers(List.copyOf(servers));
        }
    }
}
