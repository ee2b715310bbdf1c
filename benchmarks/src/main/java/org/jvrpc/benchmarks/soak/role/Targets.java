package org.jvrpc.benchmarks.soak.role;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.benchmarks.soak.audit.Notes;

/** A caller's connections. Where one is missing, a thread tries to make it, again and again. Any thread. */
final class Targets {

    private final Notes notes;
    private final AtomicReferenceArray<Target> all;
    private final Thread connector = new Thread(this::connectAll, "soak-connector");
    private volatile boolean over;

    Targets(int servers, Notes notes) {
        this.notes = notes;
        this.all = new AtomicReferenceArray<>(servers);
        connector.setDaemon(true);
        connector.start();
    }

    private void connectAll() {
        while (!over) {
            for (int server = 0; server < all.length() && !over; server++) {
                if (all.get(server) == null) {
                    connect(server);
                }
            }
            pause();
        }
    }

    private void connect(int server) {
        try {
            all.set(server, new Target(server));
        } catch (RpcException e) {
            boolean usual = e.status() == Status.UNAVAILABLE || e.status() == Status.RESOURCE_EXHAUSTED
                    || e.status() == Status.DEADLINE_EXCEEDED;
            if (!usual) {
                notes.add("connecting to server " + server, e);
            }
        } catch (RuntimeException | Error e) {
            notes.add("connecting to server " + server, e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the connection to a server, or null while there is none. */
    Target get(int server) {
        return all.get(server);
    }

    int count() {
        return all.length();
    }

    /** Returns true when there is a connection to each server, now. */
    boolean areConnected() {
        for (int server = 0; server < all.length(); server++) {
            Target target = all.get(server);
            if (target == null || !target.client().isConnected()) {
                return false;
            }
        }
        return true;
    }

    /** Closes a connection in order; another is made soon. */
    void reopen(int server) {
        Target target = all.getAndSet(server, null);
        if (target != null) {
            target.close();
        }
    }

    /** Closes all in order, for good. */
    void end() throws InterruptedException {
        over = true;
        connector.join();
        for (int server = 0; server < all.length(); server++) {
            reopen(server);
        }
    }
}
