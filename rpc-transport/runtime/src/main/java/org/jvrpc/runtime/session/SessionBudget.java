package org.jvrpc.runtime.session;

import java.util.HashMap;
import java.util.Map;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.verbs.rare.Rare;

/** What the sessions of a server have of its {@link SessionLimits}. Any thread. */
public final class SessionBudget {

    /** A session gets this part of what is left at most, so that those who come later get something, too. */
    private static final int PARTS = 16;
    private static final int EXPECTED_PARTS = 4;
    /** The most that one session gets: its offsets are ints. */
    private static final long MOST_BYTES = 256L << 20;

    private final SessionLimits limits;
    private final Map<String, Integer> perPeer = new HashMap<>();
    private int sessions;
    /** Those who may come, and have nothing yet. */
    private int expected;
    private long sessionBytes;
    private long bodyBytes;
    private volatile boolean scarce;

    public SessionBudget(SessionLimits limits) {
        this.limits = limits;
    }

    static RpcException exhausted(String text) {
        return new RpcException(Status.RESOURCE_EXHAUSTED, text);
    }

    /**
     * Admits a session.
     *
     * @param peer see {@link org.jvrpc.verbs.ConnectionRequest#peer()}; null counts among all only
     * @throws RpcException RESOURCE_EXHAUSTED
     */
    public synchronized Share admit(String peer) {
        Share share = expect(peer);
        enter(share);
        return share;
    }

    /**
     * Says whether a session would be admitted, of somebody who may not be there: it counts, and what it is granted is
     * taken, by {@link Share#enter}, so that those who never come leave no less to others.
     *
     * @throws RpcException RESOURCE_EXHAUSTED
     */
    public synchronized Share expect(String peer) {
        check(peer);
        expected++;
        return new Share(this, peer);
    }

    /** Returns how many bytes queues may take of all that are expected: less than the sessions' own memory. */
    public long mostExpectedBytes() {
        return limits.sessionMemory() / EXPECTED_PARTS;
    }

    private void check(String peer) {
        if (sessions >= limits.maxSessions()) {
            Rare.reached("too many sessions");
            throw exhausted("max sessions " + limits.maxSessions() + " reached");
        }
        int ofPeer = peer == null ? 0 : perPeer.getOrDefault(peer, 0);
        if (ofPeer >= limits.maxSessionsPerPeer()) {
            Rare.reached("too many sessions of a peer");
            throw exhausted("max sessions of a peer " + limits.maxSessionsPerPeer() + " reached by " + peer);
        }
    }

    private synchronized void enter(Share share) {
        check(share.peer);
        checkMemory(share.sessionBytes);
        expected--;
        share.entered = true;
        sessions++;
        sessionBytes += share.sessionBytes;
        if (share.peer != null) {
            perPeer.merge(share.peer, 1, Integer::sum);
        }
    }

    /** What one session has. */
    public static final class Share implements AutoCloseable {

        private final SessionBudget budget;
        private final String peer;
        private long sessionBytes;
        private long bodyBytes;
        private boolean entered;
        private boolean closed;

        private Share(SessionBudget budget, String peer) {
            this.budget = budget;
            this.peer = peer;
        }

        /** Whoever was expected is there. Once. @throws RpcException RESOURCE_EXHAUSTED when others came before */
        public void enter() {
            budget.enter(this);
        }

        /**
         * Grants as many units as are asked for, or as there would be memory for, and takes memory for the first.
         *
         * @throws RpcException RESOURCE_EXHAUSTED when there is not enough for the least
         */
        public Hello grant(Hello asked, Protocol.Cost cost) {
            return budget.grant(this, asked, cost);
        }

        /** Takes memory for more slots. @throws RpcException RESOURCE_EXHAUSTED */
        public void takeSlots(long bytes) {
            budget.takeSlots(this, bytes);
        }

        public void giveSlots(long bytes) {
            budget.giveSlots(this, bytes);
        }

        /** Takes memory for bodies. @throws RpcException RESOURCE_EXHAUSTED */
        public void takeBody(long bytes) {
            budget.takeBody(this, bytes);
        }

        public void giveBody(long bytes) {
            budget.giveBody(this, bytes);
        }

        /** Returns true when memory that is not used is better given back than kept. */
        public boolean isScarce() {
            return budget.scarce;
        }

        /** Gives all of it back. Idempotent. */
        @Override
        public void close() {
            budget.leave(this);
        }
    }

    private synchronized Hello grant(Share share, Hello asked, Protocol.Cost cost) {
        long most = Math.min((limits.sessionMemory() - sessionBytes) / PARTS, MOST_BYTES);
        Hello granted = asked.protocol().lessen(asked, most, cost);
        if (granted == null) {
            Rare.reached("no memory for a session");
            throw exhausted("max memory of sessions " + limits.sessionMemory() + " bytes reached: used=" + sessionBytes
                    + " left for one session=" + most);
        }
        share.sessionBytes =
                cost.bytes(asked.protocol(), granted.firstUnits(), granted.units(), granted.unitBytes());
        sessionBytes += share.entered ? share.sessionBytes : 0;
        return granted;
    }

    private synchronized void takeSlots(Share share, long bytes) {
        if (share.closed) {
            throw exhausted("session is over");
        }
        checkMemory(bytes);
        share.sessionBytes += bytes;
        sessionBytes += bytes;
    }

    private void checkMemory(long bytes) {
        if (bytes > limits.sessionMemory() - sessionBytes) {
            Rare.reached("no memory for more slots of a session");
            throw exhausted("max memory of sessions " + limits.sessionMemory() + " bytes reached: used=" + sessionBytes
                    + " needed=" + bytes);
        }
    }

    private synchronized void giveSlots(Share share, long bytes) {
        if (!share.closed) {
            share.sessionBytes -= bytes;
            sessionBytes -= bytes;
        }
    }

    private synchronized void takeBody(Share share, long bytes) {
        if (bytes > limits.bodyMemoryPerSession() - share.bodyBytes) {
            Rare.reached("no memory for a body of a session");
            throw exhausted("max body memory of a session " + limits.bodyMemoryPerSession() + " bytes reached: used="
                    + share.bodyBytes + " needed=" + bytes);
        }
        if (bytes > limits.bodyMemory() - bodyBytes) {
            Rare.reached("no memory for a body of the server");
            throw exhausted("max body memory of the server " + limits.bodyMemory() + " bytes reached: used=" + bodyBytes
                    + " needed=" + bytes);
        }
        share.bodyBytes += bytes;
        count(bytes);
    }

    private synchronized void giveBody(Share share, long bytes) {
        share.bodyBytes -= bytes;
        count(-bytes);
    }

    private void count(long more) {
        bodyBytes += more;
        scarce = bodyBytes > limits.bodyMemory() / 2;
    }

    private synchronized void leave(Share share) {
        if (share.closed) {
            return;
        }
        share.closed = true;
        if (!share.entered) {
            expected--;
            return;
        }
        sessions--;
        sessionBytes -= share.sessionBytes;
        count(-share.bodyBytes);
        if (share.peer != null) {
            perPeer.computeIfPresent(share.peer, (peer, count) -> count > 1 ? count - 1 : null);
        }
    }

    public synchronized boolean isEmpty() {
        return sessions == 0 && expected == 0;
    }

    /** Returns what is used, for messages and tests. */
    @Override
    public synchronized String toString() {
        return "sessions=" + sessions + " peers=" + perPeer.size() + " session bytes=" + sessionBytes + " body bytes="
                + bodyBytes + (expected == 0 ? "" : " expected=" + expected);
    }
}
