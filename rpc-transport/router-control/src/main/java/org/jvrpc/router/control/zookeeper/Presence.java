package org.jvrpc.router.control.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.map.RouterRecord;

/**
 * The znode by which a host's router is there. It is made again when its session has expired. Where another router has
 * it, that one is waited for, as it may have died a moment ago; who still finds it after that is one too many. One
 * thread; {@link #set} any.
 */
final class Presence {

    private final Layout layout;
    private final boolean known;
    private final long patienceNs;
    private final Set<Long> sessions = new LinkedHashSet<>();
    private volatile RouterRecord self;
    private RouterRecord written;
    private long othersNs;
    private long other;

    /** @param known there is a user, whose alone the znode is. @param patienceNs how long another is waited for */
    Presence(Layout layout, RouterRecord self, boolean known, long patienceNs) {
        this.layout = layout;
        this.self = self;
        this.known = known;
        this.patienceNs = patienceNs;
    }

    void set(RouterRecord now) {
        self = now;
    }

    /** Another router of this host is there, and lives. */
    static final class TakenException extends Exception {

        private static final long serialVersionUID = 1L;

        TakenException(String message) {
            super(message);
        }
    }

    /**
     * Sees to it that the znode is there and this session's.
     *
     * @return false: another's is there, look again soon
     * @throws TakenException when another's has been there for too long
     * @throws KeeperException.NoNodeException when nobody has made this host known
     */
    boolean stand(ZooKeeper zooKeeper, long nowNs) throws KeeperException, InterruptedException, TakenException {
        RouterRecord wanted = self;
        String path = layout.live(wanted.host());
        byte[] json = Codec.json(wanted).getBytes(StandardCharsets.US_ASCII);
        long session = zooKeeper.getSessionId();
        Stat stat = zooKeeper.exists(path, false);
        if (stat != null && stat.getEphemeralOwner() != session) {
            if (!sessions.contains(stat.getEphemeralOwner())) {
                return waitFor(stat, path, nowNs);
            }
            delete(zooKeeper, path, stat);
            stat = null;
        }
        if (stat == null) {
            create(zooKeeper, path, json);
        } else if (wanted != written) {
            zooKeeper.setData(path, json, -1);
        }
        sessions.add(session);
        written = wanted;
        other = 0;
        return true;
    }

    private boolean waitFor(Stat stat, String path, long nowNs) throws TakenException {
        if (other != stat.getEphemeralOwner()) {
            other = stat.getEphemeralOwner();
            othersNs = nowNs;
        } else if (nowNs - othersNs > patienceNs) {
            throw new TakenException("another router is there as " + path + " session=0x" + Long.toHexString(other)
                    + " for longer than " + patienceNs / 1_000_000 + " ms: this one, which came later, stops");
        }
        return false;
    }

    private void create(ZooKeeper zooKeeper, String path, byte[] json) throws KeeperException, InterruptedException {
        List<ACL> rules = new ArrayList<>(Ids.READ_ACL_UNSAFE);
        rules.addAll(known ? Ids.CREATOR_ALL_ACL : List.of(new ACL(Perms.ALL, Ids.ANYONE_ID_UNSAFE)));
        zooKeeper.create(path, json, rules, CreateMode.EPHEMERAL);
    }

    /** Of a session that this process had and the ensemble has not missed yet. */
    private static void delete(ZooKeeper zooKeeper, String path, Stat stat)
            throws KeeperException, InterruptedException {
        try {
            zooKeeper.delete(path, stat.getVersion());
        } catch (KeeperException.NoNodeException e) {
            return; // it went by itself
        }
    }
}
