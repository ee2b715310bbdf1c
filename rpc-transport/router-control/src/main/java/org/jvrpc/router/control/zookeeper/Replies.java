package org.jvrpc.router.control.zookeeper;

import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * What is asked for together. Answers come by the thread that brings watches' events, too, in the order in which the
 * server sent them: once an answer is there, each change before it has been told of. One thread asks.
 */
final class Replies {

    private final ZooKeeper zooKeeper;
    private final Phaser open = new Phaser(1);
    private volatile KeeperException bad;

    /** A znode as it was read. @param owner session that it lives with; 0: none */
    record Znode(String path, int version, long mzxid, long owner, byte[] data) {

        static Znode of(String path, byte[] data, Stat stat) {
            return new Znode(path, stat.getVersion(), stat.getMzxid(), stat.getEphemeralOwner(),
                    data == null ? new byte[0] : data);
        }
    }

    Replies(ZooKeeper zooKeeper) {
        this.zooKeeper = zooKeeper;
    }

    /** Has the server catch up with its leader before it answers what follows. */
    void sync(String path) {
        open.register();
        zooKeeper.sync(path, (code, where, context) -> done(code, where, () -> { }), null);
    }

    /** @param found is given null where there is no znode; by the thread of events */
    void data(String path, Consumer<Znode> found) {
        open.register();
        zooKeeper.getData(path, false, (code, where, context, data, stat) -> {
            boolean none = code == Code.NONODE.intValue();
            done(none ? 0 : code, where, () -> found.accept(none ? null : Znode.of(where, data, stat)));
        }, null);
    }

    /** @param found is given no names where there is no znode; by the thread of events */
    void children(String path, Consumer<List<String>> found) {
        open.register();
        zooKeeper.getChildren(path, false, (int code, String where, Object context, List<String> names) -> {
            boolean none = code == Code.NONODE.intValue();
            done(none ? 0 : code, where, () -> found.accept(none ? List.of() : names));
        }, null);
    }

    private void done(int code, String path, Runnable take) {
        try {
            if (code == 0) {
                take.run();
            } else {
                bad = KeeperException.create(Code.get(code), path);
            }
        } finally {
            open.arriveAndDeregister();
        }
    }

    /** Waits for all. @throws KeeperException when one cannot be had, or none comes in time */
    void await(long limitMs) throws KeeperException, InterruptedException {
        try {
            open.awaitAdvanceInterruptibly(open.arrive(), limitMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new KeeperException.OperationTimeoutException();
        }
        if (bad != null) {
            throw bad;
        }
    }
}
