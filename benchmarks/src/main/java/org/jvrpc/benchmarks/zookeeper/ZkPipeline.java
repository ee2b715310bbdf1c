package org.jvrpc.benchmarks.zookeeper;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.jvrpc.benchmarks.harness.Pipeline;

/** Calls of one thread of many, over one handle. */
public final class ZkPipeline implements Pipeline {

    /** The window that stands for {@code exists}, one call at a time. */
    public static final int EXISTS = 1;
    /** The window that stands for {@code setData} of a node of the thread's own, one call at a time. */
    public static final int SET = 2;

    private static final int WAIT_S = 20;
    private static final byte[] DATA = new byte[100];

    private final ZooKeeper handle;
    private final String path;
    private final String own;
    private final AtomicInteger wrong = new AtomicInteger();

    ZkPipeline(ZooKeeper handle, String path, String own) throws Exception {
        this.handle = handle;
        this.path = path;
        this.own = own;
        handle.create(own, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    @Override
    public long run(int window, long endNs) throws Exception {
        return switch (window) {
            case EXISTS -> exists(endNs);
            case SET -> set(endNs);
            default -> asynchronously(window, endNs);
        };
    }

    private long exists(long endNs) throws Exception {
        long calls = 0;
        for (; System.nanoTime() < endNs; calls++) {
            if (handle.exists(path, false) == null) {
                throw new IllegalStateException("the node is gone");
            }
        }
        return calls;
    }

    private long set(long endNs) throws Exception {
        long calls = 0;
        for (; System.nanoTime() < endNs; calls++) {
            handle.setData(own, DATA, -1);
        }
        return calls;
    }

    private long asynchronously(int window, long endNs) throws Exception {
        Semaphore room = new Semaphore(window);
        long calls = 0;
        for (; System.nanoTime() < endNs; calls++) {
            take(room, 1);
            handle.exists(path, false, (rc, at, context, stat) -> {
                if (rc != Code.OK.intValue()) {
                    wrong.set(rc);
                }
                room.release();
            }, null);
        }
        take(room, window);
        if (wrong.get() != 0) {
            throw new IllegalStateException("exists: " + Code.get(wrong.get()));
        }
        return calls;
    }

    private static void take(Semaphore room, int permits) throws InterruptedException {
        if (!room.tryAcquire(permits, WAIT_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no answers within s=" + WAIT_S);
        }
    }
}
