package org.jvrpc.router.control.zookeeper;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;

/**
 * A session with the ensemble, and the next one when that has expired. One thread opens; events come by ZooKeeper's.
 */
final class Link {

    private final Ensemble ensemble;
    private final Consumer<String> changed;
    private final Runnable wake;
    private Ensemble.Client client; // this and what follows is under the lock
    private Line line;
    private boolean closed;

    /** What is known of one session. */
    private final class Line implements Watcher {

        private boolean connected;
        private boolean anew;
        private boolean over;
        private boolean refused;

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() != EventType.None) {
                changed.accept(event.getPath());
            } else {
                state(event);
            }
            wake.run();
        }

        private void state(WatchedEvent event) {
            synchronized (Link.this) {
                switch (event.getState()) {
                    case SyncConnected, ConnectedReadOnly -> {
                        connected = true;
                        anew = true;
                    }
                    case AuthFailed -> {
                        refused = true;
                        over = true;
                    }
                    case Expired, Closed -> over = true;
                    case SaslAuthenticated -> { }
                    default -> connected = false;
                }
                connected &= !over;
            }
        }
    }

    /** @param changed is told paths of znodes that changed, by ZooKeeper's thread. @param wake something happened */
    Link(Ensemble ensemble, Consumer<String> changed, Runnable wake) {
        this.ensemble = ensemble;
        this.changed = changed;
        this.wake = wake;
    }

    /** Opens a session where there is none any more. @throws IOException when a file cannot be gone by */
    void open() throws IOException, InterruptedException {
        Ensemble.Client old = null;
        synchronized (this) {
            if (client != null && (line.over || !client.zooKeeper().getState().isAlive())) {
                old = client;
                client = null;
            }
        }
        if (old != null) {
            old.close();
        }
        synchronized (this) {
            if (client == null && !closed) {
                line = new Line();
                client = ensemble.open(line);
            }
        }
    }

    /** Returns the client of a session that is connected now, else null. */
    synchronized ZooKeeper connected() {
        return client != null && line.connected ? client.zooKeeper() : null;
    }

    /** Returns true once after each time that a connection was made: what was watched may have changed unseen. */
    synchronized boolean takeAnew() {
        boolean taken = client != null && line.anew;
        if (taken) {
            line.anew = false;
        }
        return taken;
    }

    synchronized boolean isRefused() {
        return client != null && (line.refused || client.zooKeeper().getState() == ZooKeeper.States.AUTH_FAILED);
    }

    /** Ends the session, with which what is ephemeral goes. */
    void close() throws InterruptedException {
        Ensemble.Client last;
        synchronized (this) {
            closed = true;
            last = client;
            client = null;
        }
        if (last != null) {
            last.close();
        }
    }
}
