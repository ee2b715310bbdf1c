package org.jvrpc.tools.router;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jvrpc.router.control.OlderMap;
import org.jvrpc.router.control.file.FileView;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.ZooKeeperView;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.peer.PeerLinks;

/**
 * Where a router learns from.
 *
 * @param ended is completed with the reason when the router must end, as another of its host is there
 * @param announcing tells the others what this one is
 * @param older has an older map gone by
 */
record ControlPlane(ControlView view, CompletableFuture<String> ended, Consumer<RouterRecord> announcing, Older older)
        implements AutoCloseable {

    /** As long as rules may be old when a connection is made. */
    private static final long BOUND_NS = 30_000_000_000L;
    private static final long PATIENCE_MS = 30_000;

    /** Goes by a map that is older than what is known. */
    interface Older {

        /** @throws IOException when none is refused, or it cannot be read */
        OlderMap.Accepted accept() throws IOException, InterruptedException;
    }

    /** Returns what a file says. @throws IllegalArgumentException when it has mistakes, or cannot be read */
    static ControlPlane ofFile(Path file, String host) {
        FileView view = new FileView(file, host);
        return new ControlPlane(view, new CompletableFuture<>(), self -> { }, view::acceptOlder);
    }

    /**
     * Returns what an ensemble says, in which this router is from now on.
     *
     * @throws IllegalArgumentException when the address is none
     * @throws IOException when the ensemble does not let it in, or is not there
     */
    static ControlPlane ofEnsemble(String address, String host) throws IOException, InterruptedException {
        Ensemble ensemble = Ensemble.parse(address);
        RouterRecord self = new RouterRecord(host, "", "", null, 0, false, PeerLinks.VERSION); // until it serves
        // An ensemble that is asked to bear long silences is on a slow machine.
        long patience = Math.max(PATIENCE_MS, 3L * ensemble.sessionMs());
        ZooKeeperView view = ZooKeeperView.open(ensemble, self, BOUND_NS, patience);
        return new ControlPlane(view, view.ended(), view::announce, () -> view.acceptOlder(patience));
    }

    @Override
    public void close() {
        view.close();
    }
}
