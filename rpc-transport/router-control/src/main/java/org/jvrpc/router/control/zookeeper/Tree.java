package org.jvrpc.router.control.zookeeper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jvrpc.router.control.BadTextException;
import org.jvrpc.router.control.zookeeper.Replies.Znode;

/**
 * A cluster's znodes, read anew where they have changed. What is read stands together, as of one moment: when all that
 * was asked for is there and nothing has been told of meanwhile, nothing changed between the first answer and the last.
 * {@link #changed} belongs to any thread, all else to one.
 */
final class Tree {

    /** The most tenants, addresses or hosts. */
    static final int MOST = 100_000;
    private static final int MOST_ROUNDS = 100;

    private final Layout layout;
    private final Map<String, Znode> znodes = new HashMap<>();
    private final Set<String> dirty = new HashSet<>();
    private boolean all = true;

    Tree(Layout layout) {
        this.layout = layout;
    }

    /** A znode has changed, come or gone. */
    synchronized void changed(String path) {
        if (layout.isRead(path)) {
            dirty.add(path);
            all |= dirty.size() > MOST;
        }
    }

    /** It is not known what has changed. */
    synchronized void changedAll() {
        all = true;
    }

    synchronized boolean isDirty() {
        return all || !dirty.isEmpty();
    }

    private synchronized Set<String> take() {
        Set<String> taken = all ? null : Set.copyOf(dirty);
        all = false;
        dirty.clear();
        return taken;
    }

    /** Returns the znodes by their paths, as they were at one moment. */
    Map<String, Znode> znodes() {
        return znodes;
    }

    /**
     * Reads until nothing changes meanwhile.
     *
     * @param limitMs for each round of questions
     * @return whether there was anything to read
     * @throws KeeperException when it cannot: all is read again the next time
     * @throws BadTextException for more than {@link #MOST} of a kind
     */
    boolean read(ZooKeeper zooKeeper, long limitMs)
            throws KeeperException, InterruptedException, BadTextException {
        boolean done = false;
        int round = 0;
        try {
            for (; isDirty(); round++) {
                if (round == MOST_ROUNDS) {
                    throw new KeeperException.OperationTimeoutException();
                }
                Set<String> paths = take();
                if (paths == null) {
                    paths = paths(zooKeeper, limitMs);
                    znodes.keySet().retainAll(paths);
                }
                read(zooKeeper, paths, limitMs);
            }
            done = true;
            return round > 0;
        } finally {
            if (!done) {
                changedAll();
            }
        }
    }

    private Set<String> paths(ZooKeeper zooKeeper, long limitMs)
            throws KeeperException, InterruptedException, BadTextException {
        ConcurrentLinkedQueue<String> found = new ConcurrentLinkedQueue<>(List.of(layout.epoch(), layout.rules()));
        Replies replies = new Replies(zooKeeper);
        for (String folder : List.of(layout.tenants(), layout.homes(), layout.hosts())) {
            replies.children(folder, names -> names.forEach(name -> found.add(folder + "/" + name)));
        }
        replies.await(limitMs);
        if (found.size() > MOST) {
            throw new BadTextException(layout.root() + ": znodes=" + found.size() + ", at most " + MOST);
        }
        Set<String> paths = new HashSet<>(found);
        for (String path : found) {
            if (layout.isHost(path)) {
                paths.add(path + "/live");
            }
        }
        return paths;
    }

    private void read(ZooKeeper zooKeeper, Set<String> paths, long limitMs)
            throws KeeperException, InterruptedException {
        Map<String, Znode> found = new ConcurrentHashMap<>();
        Replies replies = new Replies(zooKeeper);
        for (String path : new ArrayList<>(paths)) {
            replies.data(path, znode -> {
                if (znode != null) {
                    found.put(path, znode);
                }
            });
        }
        replies.await(limitMs);
        znodes.keySet().removeAll(paths);
        znodes.putAll(found);
    }
}
