package org.jvrpc.router.control.move;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jvrpc.router.RouterServer;
import org.jvrpc.router.Spin;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.zookeeper.ZooKeeperView;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.peer.PeerLinks;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** A host's router, and the folders of its tenants. Any thread. */
final class HostUnderTest implements AutoCloseable {

    final ZooKeeperView view;
    final List<String> audit = new CopyOnWriteArrayList<>();
    private final Path folder;
    private final RouterServer server;

    /**
     * Starts a router.
     *
     * @param view of the host, which ends with this
     * @param seen how the router sees it
     * @param tokens of the tenants that may come here
     * @param peers by which it reaches other hosts; null: it does not
     */
    HostUnderTest(Path folder, String name, ZooKeeperView view, ControlView seen, Map<TenantId, String> tokens,
            PeerKeys peers) throws IOException {
        this.folder = folder;
        this.view = view;
        make(folder, "rwxr-xr-x");
        make(folder.resolve("tenants"), "rwx--x--x");
        for (Map.Entry<TenantId, String> tenant : tokens.entrySet()) {
            Path own = make(folder.resolve("tenants").resolve(tenant.getKey().name()), "rwxrwx---");
            Files.writeString(own.resolve("token"), tenant.getValue());
        }
        RouterServer.Abroad abroad = peers == null ? null : new RouterServer.Abroad(PeerLinks.Settings.of(name,
                new InetSocketAddress("127.0.0.1", 0), peers.options()), "roce://127.0.0." + name.charAt(1) + ":0",
                true);
        this.server = RouterServer.start(new RouterServer.Settings(folder, name, true, Spin.NEVER, true, abroad), seen,
                (tenant, what, refusal, detail) -> audit.add(what + " " + tenant + " " + refusal + " " + detail));
        if (peers != null) {
            view.announce(new RouterRecord(name, "127.0.0.1:" + server.control().getPort(), server.data(),
                    peers.sha256(), server.incarnation(), false, PeerLinks.VERSION));
        }
    }

    private static Path make(Path folder, String rights) throws IOException {
        Files.createDirectory(folder);
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rights));
    }

    /** Opens a device of a tenant, as its container would. */
    Device open(TenantId tenant) {
        return Devices.open("router://10.77.0.1:0?dir=" + folder.resolve("tenants").resolve(tenant.name()));
    }

    /** Waits until this knows that an address lives at a host, and has looked at whoever waits for it. */
    void await(VirtualAddress address, String host) {
        Waits.until("address=" + address + " to be at host=" + host, () -> isAt(view.home(address), host),
                view::trouble);
        server.home(null, view.home(address)); // returns behind that look
    }

    private static boolean isAt(Home home, String host) {
        return home.host().equals(host) && home.state() == Home.State.SERVING;
    }

    /** Returns how many wait to be connected. */
    int asking() {
        try {
            return server.counts().asking();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
        view.close();
    }
}
