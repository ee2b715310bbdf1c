package org.jvrpc.router.control.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.TenantRecord;

/**
 * Takes addresses for a host and lets them go. A znode's version is its address's epoch, so the ensemble itself refuses
 * whoever goes by an older one. Any thread; blocks for a round trip, at most for twice the session's time.
 */
final class Claiming {

    private final Layout layout;
    private final String host;
    private final Holders holders;

    Claiming(Layout layout, String host, Holders holders) {
        this.layout = layout;
        this.host = host;
        this.holders = holders;
    }

    String host() {
        return host;
    }

    /**
     * Takes an address.
     *
     * @param zooKeeper null: there is no connection
     * @param now where it lives, as far as is known
     */
    Home claim(ZooKeeper zooKeeper, ControlState known, Home now, VirtualAddress address, TenantId tenant,
            long knownEpoch) throws InterruptedException {
        TenantRecord owner = known.owner(address);
        if (owner == null || !owner.id().equals(tenant) || now == null) {
            throw new RefusedException(Refusal.NOT_YOURS, "tenant=" + tenant + " has no address=" + address);
        }
        if (now.epoch() != knownEpoch) {
            throw stale(address, now.epoch(), knownEpoch);
        }
        long waitNs = holders.waitNs(now, System.nanoTime());
        if (waitNs > 0) {
            checkNewest(zooKeeper, now);
            throw new RefusedException(Refusal.MOVED, "address=" + address + " lives at host=" + now.host() + " epoch="
                    + now.epoch() + " state=" + now.state() + ", not at host=" + host + (waitNs == Long.MAX_VALUE ? ""
                    : ", which may have it in " + waitNs / 1_000_000 + " ms"));
        }
        return write(zooKeeper, new Home(address, tenant, host, knownEpoch, Home.State.SERVING));
    }

    /** Somebody may have let go a moment ago. @throws RefusedException STALE_EPOCH, when what is known is old */
    private void checkNewest(ZooKeeper zooKeeper, Home known) throws InterruptedException {
        if (zooKeeper == null) {
            return;
        }
        String path = layout.home(known.address().text());
        AtomicReference<Replies.Znode> read = new AtomicReference<>();
        try {
            Replies replies = new Replies(zooKeeper);
            replies.sync(path);
            replies.data(path, read::set);
            replies.await(zooKeeper.getSessionTimeout());
        } catch (KeeperException e) {
            throw new RefusedException(Refusal.POLICY_OLD, "address=" + known.address() + " cannot be looked at: "
                    + e.getMessage());
        }
        if (read.get() != null && read.get().version() != known.epoch()) {
            throw stale(known.address(), read.get().version(), known.epoch());
        }
    }

    /** Lets an address go. @return where it is then; null: it is another's already */
    Home release(ZooKeeper zooKeeper, Home home) throws InterruptedException {
        try {
            return write(zooKeeper, new Home(home.address(), home.tenant(), home.host(), home.epoch(),
                    Home.State.GONE));
        } catch (RefusedException e) {
            if (e.refusal() != Refusal.STALE_EPOCH) {
                throw e;
            }
            return null;
        }
    }

    /** Writes a home at the epoch that it has, with which it gets the next one. */
    private Home write(ZooKeeper zooKeeper, Home home) throws InterruptedException {
        if (zooKeeper == null) {
            throw new RefusedException(Refusal.POLICY_OLD, "address=" + home.address() + " cannot be written: the "
                    + "control plane cannot be reached");
        }
        try {
            Home next = new Home(home.address(), home.tenant(), home.host(), home.epoch() + 1, home.state());
            Stat stat = zooKeeper.setData(layout.home(home.address().text()),
                    Codec.json(next).getBytes(StandardCharsets.US_ASCII), (int) home.epoch());
            return new Home(home.address(), home.tenant(), home.host(), stat.getVersion(), home.state());
        } catch (KeeperException.BadVersionException e) {
            throw stale(home.address(), -1, home.epoch());
        } catch (KeeperException.NoAuthException e) {
            throw new RefusedException(Refusal.NOT_YOURS, "host=" + host + " may not have address=" + home.address());
        } catch (KeeperException e) {
            throw new RefusedException(Refusal.POLICY_OLD, "address=" + home.address() + " may not have been written: "
                    + e.getMessage());
        }
    }

    private static RefusedException stale(VirtualAddress address, long has, long known) {
        return new RefusedException(Refusal.STALE_EPOCH, "address=" + address + (has < 0 ? " has a newer epoch"
                : " has epoch=" + has) + ", claimed with epoch=" + known);
    }
}
