package org.jvrpc.runtime.connection;

import org.jvrpc.runtime.client.ClientSession;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.verbs.rare.Rare;

/**
 * Has a client leave a session whose slots are taken by calls that nobody waits for any more: a handler that hangs
 * keeps its slot for as long as it does. When such calls have held half of the slots for a while, a thread of its own
 * connects anew; new calls go to the new session, those in flight go on in the old one, which closes when the last of
 * them has ended. A server whose handlers hang again is left in peace for longer each time. Event thread.
 */
public final class Renewal {

    static final long NEVER_NS = 3_600_000_000_000L;
    private static final long LOOK_NS = 1_000_000;
    /** A session that is choked within so many pauses of the last renewal is choked again. */
    private static final int AGAIN = 4;
    private static final int LONGEST_PAUSE = 64;
    private static final long STOP_MS = 5000;

    private final ClientCore client;
    private final SessionFactory factory;
    private final long afterNs;
    private final boolean enabled;
    private long pauseNs;
    private long lastNs;
    private ClientSession choked;
    private long chokedNs;
    private volatile Thread connecting;

    public Renewal(ClientCore client, SessionFactory factory, Settings settings) {
        this.client = client;
        this.factory = factory;
        this.afterNs = settings.renewAfterNs();
        this.enabled = settings.reconnect();
        this.pauseNs = afterNs;
    }

    /** Renews the session where it is time to; returns how long to wait before the next look, in nanoseconds. */
    public long look(ClientSession session, long nowNs) {
        if (!enabled || !session.abandonment().isChoked()) {
            choked = null;
            return NEVER_NS;
        }
        if (choked != session) {
            choked = session;
            chokedNs = nowNs;
        }
        long leftNs = pauseNs - (nowNs - chokedNs);
        if (leftNs > 0) {
            return leftNs;
        }
        if (connecting == null) {
            boolean again = lastNs != 0 && nowNs - lastNs < AGAIN * pauseNs;
            pauseNs = again ? Math.min(2 * pauseNs, LONGEST_PAUSE * afterNs) : afterNs;
            lastNs = nowNs;
            chokedNs = nowNs; // should it fail, the next attempt comes after another pause
            connect(session);
        }
        return LOOK_NS;
    }

    private void connect(ClientSession old) {
        Thread thread = client.threads()
                .make(() -> renew(old), "jvrpc-renewal-" + client.address().replaceFirst("^.*://", ""));
        connecting = thread;
        thread.start();
    }

    private void renew(ClientSession old) {
        try {
            ClientSession fresh = factory.connect(client);
            if (client.replace(old, fresh)) {
                Rare.reached("a session is renewed");
                client.log().info("session with {} renewed: half of its slots are held by calls that were given up",
                        client.address());
            } else {
                factory.bury(fresh);
            }
        } catch (RuntimeException | Error e) { // the old session goes on, such as it is
            Rare.reached("a session cannot be renewed");
            client.log().warn("session with {} cannot be renewed: {}", client.address(), e.toString());
        } finally {
            connecting = null;
        }
    }

    /** Waits for an attempt that goes on. Any thread. */
    public void stop() {
        Thread last = connecting;
        if (last != null) {
            try {
                last.join(STOP_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
