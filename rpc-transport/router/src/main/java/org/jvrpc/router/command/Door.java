package org.jvrpc.router.command;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.audit.SparseLog;

/** The socket of one tenant: whoever comes by it is of that tenant, or is refused. The sessions' thread. */
final class Door {

    private static final SparseLog LOG = SparseLog.of(Door.class);
    private static final long WINDOW_NS = 100_000_000;
    private static final long SECOND_NS = 1_000_000_000;
    /** So many WQEs in a second by keys that do not allow it look like guesses. */
    private static final int GUESSES = 16;

    private final TenantId tenant;
    private final ServerSocketChannel socket;
    private final int commandsInWindow;
    private long windowNs;
    private int commands;
    private int strangers;
    /** Guarded by this. */
    private long guessesNs;
    private int guesses;

    private Door(TenantId tenant, ServerSocketChannel socket, int commandsInWindow) {
        this.tenant = tenant;
        this.socket = socket;
        this.commandsInWindow = commandsInWindow;
    }

    /**
     * Takes over a socket that listens.
     *
     * @param commandsPerSecond of all the tenant's devices; then they are not read for a while
     */
    static Door of(TenantId tenant, ServerSocketChannel socket, int commandsPerSecond) throws IOException {
        socket.configureBlocking(false);
        return new Door(tenant, socket, (int) (commandsPerSecond * WINDOW_NS / 1_000_000_000));
    }

    TenantId tenant() {
        return tenant;
    }

    void register(Selector selector) throws IOException {
        socket.register(selector, SelectionKey.OP_ACCEPT, this);
    }

    /** Returns the next who comes, or null. */
    SocketChannel accept() {
        try {
            return socket.accept();
        } catch (IOException e) {
            LOG.warn(tenant, "tenant={}: accepting: {}", tenant, e.toString());
            return null;
        }
    }

    /** Counts a command; false when the tenant has had as many as it may for now. */
    boolean mayGoOn(long nowNs) {
        if (commands == 0 || nowNs - windowNs >= WINDOW_NS) {
            windowNs = nowNs;
            commands = 0;
        }
        return ++commands < commandsInWindow;
    }

    /** Returns true when its devices may be read again. */
    boolean isRested(long nowNs) {
        return nowNs - windowNs >= WINDOW_NS;
    }

    /**
     * Counts a WQE by a key that does not allow it. Any thread.
     *
     * @return how many there were in this second, when that is to be told: once a second; else 0
     */
    synchronized int accessRefused(long nowNs) {
        if (guesses == 0 || nowNs - guessesNs >= SECOND_NS) {
            guessesNs = nowNs;
            guesses = 0;
        }
        return ++guesses == GUESSES ? guesses : 0;
    }

    /** Counts those who have not said who they are. */
    int strangers(int more) {
        strangers += more;
        return strangers;
    }

    void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.warn(tenant, "tenant={}: closing its socket: {}", tenant, e.toString());
        }
    }
}
