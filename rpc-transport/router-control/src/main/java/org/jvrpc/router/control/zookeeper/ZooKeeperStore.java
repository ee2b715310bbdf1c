package org.jvrpc.router.control.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.BadTextException;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.TenantRecord;

/**
 * A cluster as an administrator changes it: each change is one transaction with the cluster's epoch, and a line of the
 * audit log in it. One thread.
 */
public final class ZooKeeperStore implements ControlStore {

    /** The most lines of the audit log that are kept. */
    static final int MOST_AUDIT = 1_000;
    private static final int TRIES = 10;
    private static final int LOOK_MS = 20;
    private static final byte[] NOTHING = {};

    private final Ensemble ensemble;
    private final Layout layout;
    private final Access access;
    private final String user;
    private final Tree tree;
    private final Ensemble.Client client;
    private final ZooKeeper zooKeeper;

    /** @throws IOException when the ensemble cannot be reached, or refuses the user */
    public ZooKeeperStore(Ensemble ensemble) throws IOException, InterruptedException {
        this.ensemble = ensemble;
        this.layout = ensemble.layout();
        this.user = ensemble.user();
        this.access = new Access(user);
        CountDownLatch there = new CountDownLatch(1);
        KeeperState[] state = {KeeperState.Disconnected};
        this.tree = new Tree(layout);
        this.client = ensemble.open(event -> {
            if (event.getType() != EventType.None) {
                tree.changed(event.getPath());
            } else {
                tree.changedAll();
            }
            if (event.getState() == KeeperState.AuthFailed || event.getState() == (user == null
                    ? KeeperState.SyncConnected : KeeperState.SaslAuthenticated)) {
                state[0] = event.getState();
                there.countDown();
            }
        });
        this.zooKeeper = client.zooKeeper();
        boolean connected = false;
        for (int i = 0; i < ensemble.sessionMs() / LOOK_MS && !connected && zooKeeper.getState().isAlive(); i++) {
            connected = there.await(LOOK_MS, TimeUnit.MILLISECONDS);
        }
        boolean refused = state[0] == KeeperState.AuthFailed || zooKeeper.getState() == ZooKeeper.States.AUTH_FAILED;
        if (!connected || refused) {
            close();
            throw new IOException("the ensemble servers=" + ensemble.servers() + (refused ? " refuses auth-file="
                    + ensemble.authFile() : " cannot be reached within " + ensemble.sessionMs() + " ms"
                    + (user == null ? "" : ", or knows no users")));
        }
        ask(() -> {
            zooKeeper.addWatch(layout.root(), AddWatchMode.PERSISTENT_RECURSIVE);
            return null;
        });
    }

    /** What is done with the ensemble. */
    private interface Work<T> {

        T run() throws KeeperException, InterruptedException, BadTextException;
    }

    private <T> T ask(Work<T> work) throws IOException, InterruptedException {
        try {
            return work.run();
        } catch (KeeperException.NoAuthException e) {
            throw new IOException("user=" + user + " may not do that: " + e.getMessage(), e);
        } catch (KeeperException e) {
            throw new IOException("the ensemble servers=" + ensemble.servers() + ": " + e.getMessage(), e);
        } catch (BadTextException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Makes a cluster where there is none. @return false where it was there already */
    public boolean init() throws IOException, InterruptedException {
        return ask(() -> {
            if (zooKeeper.exists(layout.epoch(), false) != null) {
                return false;
            }
            if (zooKeeper.exists(Layout.TOP, false) == null) {
                zooKeeper.create(Layout.TOP, NOTHING, access.common(), CreateMode.PERSISTENT);
            }
            List<Op> ops = new ArrayList<>();
            for (String folder : layout.folders()) {
                ops.add(Op.create(folder, NOTHING, folder.equals(layout.audit()) ? access.audit() : access.common(),
                        CreateMode.PERSISTENT));
            }
            ops.add(Op.create(layout.epoch(), NOTHING, access.common(), CreateMode.PERSISTENT));
            ops.add(Op.create(layout.rules(), bytes(Codec.json(List.of())), access.common(), CreateMode.PERSISTENT));
            ops.add(note("init"));
            zooKeeper.multi(ops);
            return true;
        });
    }

    /** Makes a host known: its router may be there, and have those addresses that every other host may have. */
    public void addHost(String host) throws IOException, InterruptedException {
        Codec.host(host);
        ask(() -> {
            Map<String, Replies.Znode> znodes = znodes();
            Picture picture = Picture.of(layout, znodes);
            if (picture.hosts().contains(host)) {
                return null;
            }
            zooKeeper.multi(List.of(Op.create(layout.host(host), NOTHING, access.host(host), CreateMode.PERSISTENT),
                    note("host " + host)));
            for (String path : znodes.keySet()) {
                if (layout.isHome(path)) {
                    letHave(path, host);
                }
            }
            return null;
        });
    }

    private void letHave(String path, String host) throws KeeperException, InterruptedException {
        Stat stat = new Stat();
        List<ACL> rules = zooKeeper.getACL(path, stat);
        if (Access.isForAll(rules)) {
            List<String> hosts = new ArrayList<>(access.hosts(rules));
            hosts.add(host);
            zooKeeper.setACL(path, access.home(hosts, true), stat.getAversion());
        }
    }

    /** Returns the hosts that are known, whether their routers are there or not. */
    public List<String> hosts() throws IOException, InterruptedException {
        return ask(() -> Picture.of(layout, znodes()).hosts());
    }

    private Map<String, Replies.Znode> znodes() throws KeeperException, InterruptedException, BadTextException {
        Replies replies = new Replies(zooKeeper);
        replies.sync(layout.root());
        replies.await(ensemble.sessionMs());
        tree.read(zooKeeper, ensemble.sessionMs());
        return tree.znodes();
    }

    @Override
    public ControlState read() throws IOException, InterruptedException {
        return ask(() -> Picture.of(layout, znodes()).state());
    }

    @Override
    public ControlState change(String what, UnaryOperator<ControlState> edit) throws IOException, InterruptedException {
        return change(what, edit, null);
    }

    /** As {@link #change(String, UnaryOperator)}. @param hosts that alone may have addresses that are new; null: all */
    public ControlState change(String what, UnaryOperator<ControlState> edit, List<String> hosts)
            throws IOException, InterruptedException {
        return ask(() -> {
            for (int tries = 1;; tries++) {
                Picture was = Picture.of(layout, znodes());
                ControlState now = edit.apply(was.state());
                try {
                    letHave(was, now, hosts);
                    zooKeeper.multi(ops(was, now, what, hosts));
                    trim();
                    return now.at(was.state().epoch() + 1);
                } catch (KeeperException.BadVersionException | KeeperException.NodeExistsException e) {
                    if (tries == TRIES) {
                        throw e;
                    }
                }
            }
        });
    }

    /** Who may have what nobody has yet, but somebody had: before it is given, so that nobody is faster. */
    private void letHave(Picture was, ControlState now, List<String> hosts)
            throws KeeperException, InterruptedException {
        for (VirtualAddress address : was.versions().keySet()) {
            if (was.state().owner(address) == null && now.owner(address) != null) {
                zooKeeper.setACL(layout.home(address.text()), homeRules(was, hosts), -1);
            }
        }
    }

    private List<ACL> homeRules(Picture was, List<String> hosts) {
        return access.home(hosts == null ? was.hosts() : hosts, hosts == null);
    }

    private List<Op> ops(Picture was, ControlState now, String what, List<String> hosts) {
        List<Op> ops = new ArrayList<>();
        ops.add(Op.setData(layout.epoch(), NOTHING, (int) was.state().epoch() - 1));
        for (TenantRecord tenant : now.tenants().values()) {
            String path = layout.tenant(tenant.id().name());
            String json = Codec.json(tenant);
            if (!was.texts().containsKey(path)) {
                ops.add(Op.create(path, bytes(json), access.common(), CreateMode.PERSISTENT));
            } else if (!json.equals(was.texts().get(path))) {
                ops.add(Op.setData(path, bytes(json), -1));
            }
            tenant.addresses().forEach(address -> addHome(ops, was, address, tenant, hosts));
        }
        was.state().tenants().forEach((id, tenant) -> remove(ops, was, tenant, now.tenants().get(id)));
        now.homes().forEach((address, home) -> {
            Home before = was.state().homes().get(address);
            if (before != null && !home.equals(before)) {
                ops.add(Op.setData(layout.home(address.text()), bytes(Codec.json(home)), (int) before.epoch()));
            }
        });
        if (!now.rules().equals(was.state().rules())) {
            ops.add(Op.setData(layout.rules(), bytes(Codec.json(now.rules())), -1));
        }
        ops.add(note(what));
        return ops;
    }

    /** An address that had another tenant keeps its znode, so that its epoch goes on. */
    private void addHome(List<Op> ops, Picture was, VirtualAddress address, TenantRecord tenant,
            List<String> hosts) {
        Long version = was.versions().get(address);
        TenantRecord before = was.state().owner(address);
        if (version == null) {
            ops.add(Op.create(layout.home(address.text()), NOTHING, homeRules(was, hosts), CreateMode.PERSISTENT));
        } else if (before == null || !before.id().equals(tenant.id())) {
            ops.add(Op.setData(layout.home(address.text()), NOTHING, version.intValue()));
        }
    }

    /** What a tenant has no more: the epoch of an address goes on, so that its host can do nothing by the old one. */
    private void remove(List<Op> ops, Picture was, TenantRecord before, TenantRecord now) {
        if (now == null) {
            ops.add(Op.delete(layout.tenant(before.id().name()), -1));
        }
        for (VirtualAddress address : before.addresses()) {
            Long version = was.versions().get(address);
            if (version != null && (now == null || !now.addresses().contains(address))) {
                ops.add(Op.setData(layout.home(address.text()), NOTHING, version.intValue()));
            }
        }
    }

    private Op note(String what) {
        String line = new JsonObject().text("at", Instant.now().toString())
                .text("by", user == null ? System.getProperty("user.name") : user).text("what", what).toString();
        return Op.create(layout.audit() + "/n", bytes(line), access.audit(), CreateMode.PERSISTENT_SEQUENTIAL);
    }

    private void trim() throws KeeperException, InterruptedException {
        List<String> names = zooKeeper.getChildren(layout.audit(), false).stream().sorted().toList();
        for (String name : names.subList(0, Math.max(0, names.size() - MOST_AUDIT))) {
            zooKeeper.delete(layout.audit() + "/" + name, -1);
        }
    }

    @Override
    public List<String> audit() throws IOException, InterruptedException {
        return ask(() -> {
            List<String> lines = new ArrayList<>();
            for (String name : zooKeeper.getChildren(layout.audit(), false).stream().sorted().toList()) {
                lines.add(new String(zooKeeper.getData(layout.audit() + "/" + name, false, null),
                        StandardCharsets.UTF_8));
            }
            return lines;
        });
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
