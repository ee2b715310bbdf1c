package org.jvrpc.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to an ensemble, and the one thread that works over it: when it is there, when its work is asked for,
 * and again, less and less often, when that failed. While the ensemble is gone it waits, and says so once. {@link
 * #wake} and {@link #close} belong to any thread, a {@link Work}'s methods are called by the worker's alone.
 */
final class EnsembleWorker {

    private static final Logger LOG = LoggerFactory.getLogger(EnsembleWorker.class);
    private static final long FIRST_PAUSE_NS = 100_000_000;
    private static final long MAX_PAUSE_NS = 10_000_000_000L;
    private static final long IDLE_NS = 3_600_000_000_000L;
    private static final int RETRY_MS = 100;

    private final ZooKeeperTarget target;
    private final ResolverContext context;
    private final Work work;
    private final Thread thread;
    private final Object lock = new Object();

    private boolean awake; // this and what follows is under the lock
    private boolean connected;
    private boolean everConnected;
    private boolean lost;
    private boolean anew;
    private boolean working;
    private boolean closed;

    private long pauseNs; // this and what follows is the thread's
    private long failedNs;
    private long nextNs;
    private boolean waiting;
    private boolean unfinished;
    private String told;

    /** What is done over the connection. */
    interface Work {

        /**
         * Does what there is to do; called again when it throws.
         *
         * @param anew true after a connection was made: it may be another session, and what was watched is not any more
         */
        void run(CuratorFramework zooKeeper, boolean anew) throws Exception;

        /** It could not be done for now. Called once for each reason. */
        void failed(RpcException why);
    }

    /** @param name of the thread */
    EnsembleWorker(ZooKeeperTarget target, ResolverContext context, String name, Work work) {
        this.target = target;
        this.context = context;
        this.work = work;
        this.thread = context.threads().newThread(this::run);
        thread.setName(name);
        thread.setDaemon(true);
    }

    /** Begins, at most once. */
    void start() {
        synchronized (lock) {
            if (!closed) {
                thread.start();
            }
        }
    }

    /** Has the work done, now or when the ensemble is there. */
    void wake() {
        synchronized (lock) {
            awake = true;
            lock.notifyAll();
        }
    }

    /** Returns true when it ends or has ended. */
    boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    /**
     * Ends: the session is closed, with which its ephemeral znodes go. Idempotent.
     *
     * @param limit how long this may wait for it; what takes longer ends later
     * @return true when it has ended
     */
    boolean close(Duration limit) {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
            if (thread == Thread.currentThread()) {
                return false;
            }
            if (working) {
                thread.interrupt(); // what waits for an answer, and not the end of the session
            }
        }
        try {
            thread.join(Math.max(1, limit.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private void run() {
        try (CuratorFramework zooKeeper = open()) {
            zooKeeper.getConnectionStateListenable().addListener((same, state) -> changed(state));
            zooKeeper.start();
            loop(zooKeeper);
        } catch (InterruptedException e) {
            LOG.trace("{}: closed", target); // which is what interrupts
        } catch (IOException | RuntimeException e) {
            fail(new RpcException(Status.FAILED_PRECONDITION, target + ": " + e.getMessage(), e));
        } finally {
            synchronized (lock) {
                closed = true;
            }
        }
    }

    private CuratorFramework open() throws IOException {
        int sessionMs = (int) target.sessionTimeout().toMillis();
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(target.ensemble()).sessionTimeoutMs(sessionMs)
                .connectionTimeoutMs((int) Math.min(sessionMs, context.timeout().toMillis() + 1))
                .retryPolicy(new RetryOneTime(RETRY_MS)).ensembleTracker(false)
                .aclProvider(new AccessRules(target)).threadFactory(context.threads());
        if (target.authFile() != null) {
            builder.authorization("digest", Credentials.read(target.authFile()));
            builder.dontUseContainerParents(); // the service stays its creator's while it has no servers
        }
        return builder.build();
    }

    private void changed(ConnectionState state) {
        synchronized (lock) {
            connected = state.isConnected();
            everConnected |= connected;
            anew |= connected;
            lost = state == ConnectionState.LOST;
            lock.notifyAll();
        }
    }

    private void loop(CuratorFramework zooKeeper) throws InterruptedException {
        long begunNs = context.nanoTime().getAsLong();
        while (true) {
            boolean there;
            synchronized (lock) {
                while (!closed && !isTime(begunNs)) {
                    TimeUnit.NANOSECONDS.timedWait(lock, Math.max(1, waitNs(begunNs)));
                }
                if (closed) {
                    return;
                }
                there = connected;
                unfinished |= anew;
                anew = false;
                awake = false;
                working = true;
            }
            try {
                if (there) {
                    step(zooKeeper);
                } else {
                    fail(new RpcException(Status.UNAVAILABLE, target
                            + ": ZooKeeper cannot be reached, or the session has expired"));
                }
            } finally {
                rest();
            }
        }
    }

    private void rest() {
        synchronized (lock) {
            working = false;
            Thread.interrupted(); // which may have come too late for what it was to interrupt
        }
    }

    /** Tells whether there is something to do, or to tell of. */
    private boolean isTime(long begunNs) {
        if (!connected) {
            return told == null && (everConnected ? lost : waitNs(begunNs) <= 0);
        }
        return anew || (waiting ? waitNs(begunNs) <= 0 : awake);
    }

    private long waitNs(long begunNs) {
        if (connected) {
            return waiting ? (awake ? failedNs + FIRST_PAUSE_NS : nextNs) - context.nanoTime().getAsLong() : IDLE_NS;
        }
        return everConnected || told != null ? IDLE_NS
                : begunNs + context.timeout().toNanos() - context.nanoTime().getAsLong();
    }

    private void step(CuratorFramework zooKeeper) throws InterruptedException {
        try {
            work.run(zooKeeper, unfinished);
            unfinished = false;
            waiting = false;
            pauseNs = 0;
            if (told != null) {
                LOG.info("{}: all is well again", target);
                told = null;
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            again();
            if (!(e instanceof KeeperException.ConnectionLossException
                    || e instanceof KeeperException.SessionExpiredException)) { // these are told of when they last
                fail(failure(e));
            }
        }
    }

    private void again() {
        pauseNs = Math.min(MAX_PAUSE_NS, Math.max(FIRST_PAUSE_NS, pauseNs * 2));
        long jitterNs = Math.floorMod(context.random().getAsLong(), pauseNs / 2);
        failedNs = context.nanoTime().getAsLong();
        nextNs = failedNs + pauseNs - pauseNs / 4 + jitterNs;
        waiting = true;
    }

    private RpcException failure(Exception e) {
        if (e instanceof RpcException failure) {
            return failure;
        }
        boolean forbidden = e instanceof KeeperException.NoAuthException
                || e instanceof KeeperException.AuthFailedException || e instanceof KeeperException.InvalidACLException;
        return new RpcException(forbidden ? Status.PERMISSION_DENIED : Status.UNAVAILABLE,
                target + ": " + e.getMessage(), e);
    }

    private void fail(RpcException why) {
        if (!why.getMessage().equals(told)) {
            told = why.getMessage();
            LOG.warn("{}", why.getMessage());
            work.failed(why);
        }
    }
}
