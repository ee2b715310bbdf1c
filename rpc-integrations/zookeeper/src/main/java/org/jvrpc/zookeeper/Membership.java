package org.jvrpc.zookeeper;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.resolve.Registration;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's znode: ephemeral, under the id of the server, so that it is there once or not at all. It is made again
 * when its session expired, or somebody removed it. Where another process has the id, it is left alone: this one waits
 * until that one's znode has gone. Any thread.
 */
final class Membership implements Registration {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final int MAX_SESSIONS = 16;

    private final ZooKeeperTarget target;
    private final String path;
    private final byte[] bytes;
    private final Duration timeout;
    private final EnsembleWorker worker;
    private final Watcher watcher = this::changed;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final Set<Long> sessions = new LinkedHashSet<>(); // the worker's: those that this process had
    private volatile RpcException reason;

    /** @throws IllegalArgumentException when the server cannot be registered by its id */
    Membership(ZooKeeperTarget target, ServerEntry self, ResolverContext context) {
        this.target = target;
        this.path = target.servicePath() + "/" + checked(self.id());
        this.bytes = InstanceCodec.encode(target.service(), self, System.currentTimeMillis());
        this.timeout = context.timeout();
        try {
            InstanceCodec.decode(target.service(), self.id(), bytes);
        } catch (BadInstanceException e) {
            throw new IllegalArgumentException("clients would not take this server: " + e.getMessage());
        }
        this.worker = new EnsembleWorker(target, context, "jvrpc-zk-register-" + target.service(),
                new EnsembleWorker.Work() {
                    @Override
                    public void run(CuratorFramework zooKeeper, boolean anew) throws Exception {
                        stand(zooKeeper);
                    }

                    @Override
                    public void failed(RpcException why) {
                        reason = why;
                        if (why.status() != Status.UNAVAILABLE && why.status() != Status.ALREADY_EXISTS) {
                            joined.completeExceptionally(why); // waiting does not help
                        }
                    }
                });
    }

    private static String checked(String id) {
        if (id.indexOf('/') >= 0 || id.equals(".") || id.equals("..")) {
            throw new IllegalArgumentException("id=" + id + " is no name of a znode");
        }
        return id;
    }

    /** Registers, and waits for it. @throws RpcException which says why that did not come about in time */
    void join() {
        worker.start();
        try {
            joined.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return;
        } catch (ExecutionException e) {
            worker.close(Duration.ZERO);
            throw (RpcException) e.getCause();
        } catch (TimeoutException e) {
            LOG.debug("{}: not registered", target, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        worker.close(Duration.ZERO);
        RpcException why = reason;
        throw why != null ? why : new RpcException(Status.UNAVAILABLE, target + ": not registered within "
                + timeout.toMillis() + " ms");
    }

    /** The session ends, and the znode goes with it. */
    @Override
    public void leave() {
        if (!worker.close(timeout)) {
            LOG.warn("{}: {} could not be removed within {} ms: it goes when its session expires", target, path,
                    timeout.toMillis());
        }
    }

    private void changed(WatchedEvent event) {
        if (event.getType() != EventType.None) {
            worker.wake();
        }
    }

    /** Sees to it that the znode is there and this session's. */
    private void stand(CuratorFramework zooKeeper) throws Exception {
        long session = zooKeeper.getZookeeperClient().getZooKeeper().getSessionId();
        Stat stat = zooKeeper.checkExists().usingWatcher(watcher).forPath(path);
        if (stat != null && stat.getEphemeralOwner() != session) {
            expectOwn(stat);
            delete(zooKeeper, stat);
            stat = null;
        }
        if (stat == null) {
            create(zooKeeper);
            zooKeeper.checkExists().usingWatcher(watcher).forPath(path);
        }
        remember(session);
        if (joined.complete(null)) {
            LOG.info("{}: registered as {}", target, path);
        }
    }

    private void expectOwn(Stat stat) {
        if (!sessions.contains(stat.getEphemeralOwner())) {
            throw new RpcException(Status.ALREADY_EXISTS, target + ": another process has registered " + path
                    + ", session=0x" + Long.toHexString(stat.getEphemeralOwner())
                    + "; this one is registered when that has gone");
        }
    }

    /** Of a session that this process gave up and the ensemble has not missed yet. */
    private void delete(CuratorFramework zooKeeper, Stat stat) throws Exception {
        try {
            zooKeeper.delete().withVersion(stat.getVersion()).forPath(path);
        } catch (KeeperException.NoNodeException e) {
            LOG.trace("{}: {} went by itself", target, path);
        }
    }

    private void create(CuratorFramework zooKeeper) throws Exception {
        try {
            zooKeeper.create().creatingParentContainersIfNeeded().withMode(CreateMode.EPHEMERAL).forPath(path, bytes);
        } catch (KeeperException.NodeExistsException e) {
            // By a try whose answer was lost, or by another process: the next look tells.
            throw new KeeperException.ConnectionLossException();
        }
    }

    private void remember(long session) {
        sessions.add(session);
        if (sessions.size() > MAX_SESSIONS) {
            sessions.remove(sessions.iterator().next());
        }
    }
}
