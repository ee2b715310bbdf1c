package org.jvrpc.hdfs;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One jvRPC address of a NameNode, and the connection to it: made anew when it is needed and the last one is lost. Any
 * thread.
 */
final class NameNodeLink {

    private static final Logger LOG = LoggerFactory.getLogger(NameNodeLink.class);
    /** Takes the answer to a listing of a hundred entries without a rendezvous. */
    private static final int SLOT_BYTES = 1 << 14;
    private static final int MIN_BODY_LIMIT = 1 << 20;
    private static final Duration FOREVER = Duration.ofDays(10_000);
    /** Until an address where nobody served is tried again: at once known on one host, packets of minutes elsewhere. */
    private static final long LOCAL_RETRY_NS = 10_000_000_000L;
    private static final long FAR_RETRY_NS = 60_000_000_000L;

    private final NameNodeLinks.Key key;
    private final AtomicBoolean connecting = new AtomicBoolean();
    /** Guarded by the table of links. */
    int users;
    private volatile ServerConnection connection;
    private volatile boolean failed;
    private volatile long failedNs;
    private volatile boolean closed;

    NameNodeLink(NameNodeLinks.Key key) {
        this.key = key;
    }

    NameNodeLinks.Key key() {
        return key;
    }

    /**
     * Returns a connection if there is one, or one can be had at once; else null: another transport is to be used,
     * while a thread tries to connect where that may take time.
     */
    ServerConnection ifConnected() {
        ServerConnection now = connection;
        if (now != null && now.isConnected()) {
            return now;
        }
        if (failed && System.nanoTime() - failedNs < (key.local() ? LOCAL_RETRY_NS : FAR_RETRY_NS)) {
            return null;
        }
        if (key.local()) {
            return tryToConnect();
        }
        if (!closed && connecting.compareAndSet(false, true)) {
            Thread thread = new Thread(this::connectAside, "jvrpc-hdfs-connect " + key.address());
            thread.setDaemon(true);
            thread.start();
        }
        return null;
    }

    private void connectAside() {
        try {
            tryToConnect();
        } finally {
            connecting.set(false);
            if (closed) {
                drop();
            }
        }
    }

    private synchronized ServerConnection tryToConnect() {
        ServerConnection now = connection;
        if (now != null && now.isConnected()) {
            return now;
        }
        if (failed && System.nanoTime() - failedNs < LOCAL_RETRY_NS) {
            return null; // another thread has tried meanwhile
        }
        try {
            return connected();
        } catch (IOException | RuntimeException e) {
            failedNs = System.nanoTime();
            failed = true;
            LOG.info("{}: another transport is used for {} s", e.getMessage(),
                    (key.local() ? LOCAL_RETRY_NS : FAR_RETRY_NS) / 1_000_000_000L);
            return null;
        }
    }

    /**
     * Returns a client that was connected a moment ago.
     *
     * @throws ConnectException when nobody serves at the address
     * @throws IOException when the server there, or this host, will not do
     */
    ServerConnection connected() throws IOException {
        ServerConnection now = connection;
        return now != null && now.isConnected() ? now : connect();
    }

    private synchronized ServerConnection connect() throws IOException {
        if (connection != null && connection.isConnected()) {
            return connection;
        }
        if (closed) {
            throw new IOException("the proxy is closed: " + key.address());
        }
        drop();
        RpcClient client = null;
        try {
            client = RpcClient.builder(key.address())
                    .slots(key.slots())
                    .slotBytes(SLOT_BYTES)
                    .reconnect(false)
                    .offloadConnections(0)
                    .idle(key.idle())
                    .deadline(key.timeoutMs() > 0 ? Duration.ofMillis(key.timeoutMs()) : FOREVER)
                    .maxBodyBytes(Math.max(MIN_BODY_LIMIT, key.maxResponseBytes()))
                    .connect();
            connection = new ServerConnection(key.address(), client);
            failed = false;
            return connection;
        } catch (RpcException | VerbsException | IllegalArgumentException e) {
            if (client != null) {
                client.close();
            }
            throw refused(e);
        }
    }

    private IOException refused(RuntimeException e) {
        String message = "no NameNode at " + key.address() + ": " + e.getMessage();
        IOException refused = e instanceof RpcException rpc && rpc.status() == Status.UNAVAILABLE
                ? new ConnectException(message)
                : new IOException(message);
        refused.initCause(e);
        return refused;
    }

    private synchronized void drop() {
        ServerConnection last = connection;
        connection = null;
        if (last != null) {
            last.close();
        }
    }

    /** Closes the connection; one that is being made is closed by the thread that makes it. */
    void close() {
        closed = true;
        if (!connecting.get()) {
            drop();
        }
    }
}
