package org.jvrpc.hdfs;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.ipc.ClientId;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.verbs.VerbsException;

/**
 * One jvRPC client of a NameNode, made anew when it is needed and the last one has lost its connection. Any thread.
 */
final class NameNodeLink {

    /** Names this process to retry caches. */
    private static final byte[] CLIENT_ID = ClientId.getClientId();
    private static final int SLOTS = 64;
    /** Takes the answer to a listing of a hundred entries without a rendezvous. */
    private static final int SLOT_BYTES = 1 << 14;
    private static final int MIN_BODY_LIMIT = 1 << 20;
    private static final Duration FOREVER = Duration.ofDays(10_000);

    /** Who logs in, and to which NameNode. */
    record Who(String protocol, long version, String user, String realUser, String host, int port) {
    }

    /** What is known after logging in. */
    record Session(long login, Map<String, Integer> numbers, boolean[] light, int maxRequestBytes) {

        static Session of(LoginReply reply) {
            Map<String, Integer> numbers = new HashMap<>();
            List<String> names = reply.methods();
            for (int i = 0; i < names.size(); i++) {
                numbers.put(names.get(i), i);
            }
            return new Session(reply.login(), numbers, reply.light(), reply.maxRequestBytes());
        }
    }

    /** A connected client and who has logged in there. */
    record Live(RpcClient client, NameNodeCalls calls, Map<Who, Session> sessions) {
    }

    private final NameNodeLinks.Key key;
    /** Guarded by the table of links. */
    int users;
    private volatile Live live;
    private boolean closed;

    NameNodeLink(NameNodeLinks.Key key) {
        this.key = key;
    }

    NameNodeLinks.Key key() {
        return key;
    }

    /**
     * Returns a client that was connected a moment ago.
     *
     * @throws ConnectException when nobody serves at the address
     * @throws IOException when the server there, or this host, will not do
     */
    Live connected() throws IOException {
        Live now = live;
        return now != null && now.client().isConnected() ? now : connect();
    }

    private synchronized Live connect() throws IOException {
        if (live != null && live.client().isConnected()) {
            return live;
        }
        if (closed) {
            throw new IOException("the proxy is closed: " + key.address());
        }
        drop();
        RpcClient client = null;
        try {
            client = RpcClient.builder(key.address())
                    .slots(SLOTS)
                    .slotBytes(SLOT_BYTES)
                    .reconnect(false)
                    .offloadConnections(0)
                    .idle(key.idle())
                    .deadline(key.timeoutMs() > 0 ? Duration.ofMillis(key.timeoutMs()) : FOREVER)
                    .maxBodyBytes(Math.max(MIN_BODY_LIMIT, key.maxResponseBytes()))
                    .connect();
            live = new Live(client, client.stub(NameNodeCalls.class), new ConcurrentHashMap<>());
            return live;
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

    private void drop() {
        Live last = live;
        live = null;
        if (last != null) {
            last.client().close();
        }
    }

    static byte[] clientId() {
        return CLIENT_ID.clone();
    }

    synchronized void close() {
        closed = true;
        drop();
    }
}
