package org.jvrpc.router;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.peer.Certificates;
import org.jvrpc.router.peer.PeerLinks;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;

/**
 * Routers of two hosts in this process, with a tenant each and sealed lanes between them on two addresses of this
 * machine; there until the process ends.
 */
public final class SharedRouters {

    private static final String SHM = "jvrpc.shm.dir";
    private static SharedRouters both;

    private final FixedView view = new FixedView();
    private final TestRouter east;
    private final TestRouter west;

    private SharedRouters() throws IOException {
        view.apply(new Rule(null, null, 0, 0xffff, true));
        Path folder = Files.createTempDirectory(SharedMemoryFolder.path().getParent(), "routers-");
        String own = System.getProperty(SHM);
        System.setProperty(SHM, Files.createTempDirectory(folder, "shm-").toString()); // not with the class's own
        try {
            east = router(folder, "h1", "one", 0);
            west = router(folder, "h2", "two", 1);
        } finally {
            System.setProperty(SHM, own);
        }
        meet();
    }

    /** Has a link and lanes made, which takes a while on a busy machine. */
    private void meet() {
        try (Device left = open(true); Device right = open(false)) {
            CompletionQueue cq = left.createCq(CompletionQueueAttributes.ofDepth(16));
            QueuePair qp = left.allocatePd().createQp(new QueuePairAttributes(cq, cq).datagram(1));
            qp.init();
            ProtectionDomain pd = right.allocatePd();
            Waits.until("a way between the hosts", () -> {
                try {
                    pd.createAh(qp.endpoint()).close();
                    return true;
                } catch (VerbsException e) {
                    return false;
                }
            });
        }
    }

    private TestRouter router(Path folder, String host, String tenant, int index) throws IOException {
        PeerLinks.Settings peers = PeerLinks.Settings.of(
                host, new InetSocketAddress("127.0.0.1", 0), Certificates.get().options(host));
        TestRouter made = new TestRouter(Files.createDirectory(folder.resolve(host)), view, host,
                new RouterServer.Abroad(peers, "roce://127.0.0." + (index + 1) + ":0", true), index, tenant);
        RouterServer server = made.server();
        view.put(new RouterRecord(host, "127.0.0.1:" + server.control().getPort(), server.data(),
                Certificates.get().sha256(host), server.incarnation(), false, PeerLinks.VERSION));
        return made;
    }

    public static synchronized SharedRouters get() {
        if (both == null) {
            try {
                both = new SharedRouters();
                Runtime.getRuntime().addShutdownHook(new Thread(both::close));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return both;
    }

    /** Opens a device of the tenant of one host, or the other. */
    public Device open(boolean first) {
        return first ? east.open("one") : west.open("two");
    }

    /** Returns an address of the first host's tenant, at which nobody listens. */
    public String address() {
        return east.address(0);
    }

    /** Returns the folder by which the tenant of one host, or the other, comes. */
    public Path dir(boolean first) {
        return first ? east.dir("one") : west.dir("two");
    }

    private void close() {
        east.close();
        west.close();
    }
}
