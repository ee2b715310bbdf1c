package org.jvrpc.roce.cm;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import org.jvrpc.roce.cm.CmConnection.State;
import org.jvrpc.roce.cm.message.Gid;

/** The connections of a node: by own id, by the peer's, by when something is due, and how many are half-open. */
final class Connections {

    /** A peer's id means something together with its address alone. */
    private record RemoteKey(Gid gid, int id) {
    }

    private record RemoteQp(CmPeer peer, int qpn) {
    }

    private static final Comparator<LinkedHashSet<CmConnection>> OLDEST =
            Comparator.comparingLong(ofSource -> -first(ofSource).number);
    private static final Comparator<LinkedHashSet<CmConnection>> MOST_AND_OLDEST =
            Comparator.<LinkedHashSet<CmConnection>>comparingInt(LinkedHashSet::size).thenComparing(OLDEST);
    /** A source with more than this part of what it may have makes room first. */
    private static final int SHARE = 4;

    private final CmSettings settings;
    private final IntSupplier random;
    private final Map<Integer, CmConnection> byLocal = new HashMap<>();
    private final Map<RemoteKey, CmConnection> byRemote = new HashMap<>();
    /** Those that are established. */
    private final Map<RemoteQp, CmConnection> byRemoteQp = new HashMap<>();
    private final TreeSet<CmConnection> timers = new TreeSet<>(Comparator
            .comparing((CmConnection c) -> c.deadlineNs, (a, b) -> Long.signum(a - b)) // it may overflow
            .thenComparingInt(c -> c.localId));
    /** By source, oldest first. */
    private final Map<Gid, LinkedHashSet<CmConnection>> halfOpenOf = new HashMap<>();
    private final ArrayDeque<CmConnection> resting = new ArrayDeque<>();
    private int halfOpen;
    private long opened;
    private int disconnecting;
    /** Those that disconnect when their peer is proven. */
    private int closing;

    Connections(CmSettings settings, IntSupplier random) {
        this.settings = settings;
        this.random = random;
    }

    /** Returns an id that no connection has, never 0. */
    int newId() {
        int id = random.getAsInt();
        while (id == 0 || byLocal.containsKey(id)) {
            id = random.getAsInt();
        }
        return id;
    }

    /**
     * Returns the half-open connection that is to make room for another of a source; null when there is room. It is the
     * oldest of the source, or of the source that has most, or of all where none has many: whoever is there proves it
     * within a round trip. A flood from many made-up sources faster than that still drives others out.
     */
    CmConnection inTheWayOf(Gid source) {
        LinkedHashSet<CmConnection> own = halfOpenOf.get(source);
        if (own != null && own.size() >= settings.mostOfSource()) {
            return first(own);
        }
        if (halfOpen < settings.mostHalfOpen()) {
            return null;
        }
        LinkedHashSet<CmConnection> most = Collections.max(halfOpenOf.values(), MOST_AND_OLDEST);
        boolean hasMany = most.size() > settings.mostOfSource() / SHARE;
        return first(hasMany ? most : Collections.max(halfOpenOf.values(), OLDEST));
    }

    private static CmConnection first(LinkedHashSet<CmConnection> ofSource) {
        return ofSource.iterator().next();
    }

    void add(CmConnection c) {
        byLocal.put(c.localId, c);
        if (!c.active) {
            byRemote.put(new RemoteKey(c.peer.gid(), c.remoteId), c);
        }
        if (c.isHalfOpen()) {
            halfOpen++;
            c.number = ++opened;
            halfOpenOf.computeIfAbsent(c.peer.gid(), gid -> new LinkedHashSet<>()).add(c);
        }
    }

    CmConnection byLocal(int id) {
        return byLocal.get(id);
    }

    /** Returns the connection that a peer asked for by an id of its own; else null. */
    CmConnection byRemote(Gid gid, int id) {
        return byRemote.get(new RemoteKey(gid, id));
    }

    /** Returns true when a QP of a peer is connected, as far as is known here. */
    boolean isConnected(CmPeer peer, int qpn) {
        return byRemoteQp.containsKey(new RemoteQp(peer, qpn));
    }

    /** The peer has shown that it gets what is sent to it. */
    void prove(CmConnection c) {
        if (c.isHalfOpen()) {
            forgetHalfOpen(c);
        }
        c.proven = true;
    }

    private void forgetHalfOpen(CmConnection c) {
        halfOpen--;
        LinkedHashSet<CmConnection> ofSource = halfOpenOf.get(c.peer.gid());
        ofSource.remove(c);
        if (ofSource.isEmpty()) {
            halfOpenOf.remove(c.peer.gid());
        }
    }

    void move(CmConnection c, State to) {
        if (c.isHalfOpen() && to != State.REP_SENT) {
            forgetHalfOpen(c);
        }
        if (to == State.ESTABLISHED) {
            byRemoteQp.put(new RemoteQp(c.peer, c.remoteQpn), c);
        } else if (c.state == State.ESTABLISHED) {
            byRemoteQp.remove(new RemoteQp(c.peer, c.remoteQpn), c);
        }
        closing -= c.state == State.REP_SENT && c.closing ? 1 : 0;
        disconnecting += (to == State.DREQ_SENT ? 1 : 0) - (c.state == State.DREQ_SENT ? 1 : 0);
        c.state = to;
    }

    void due(CmConnection c, long atNs) {
        notDue(c);
        c.deadlineNs = atNs;
        c.timed = true;
        timers.add(c);
    }

    void notDue(CmConnection c) {
        if (c.timed) {
            timers.remove(c);
            c.timed = false;
        }
    }

    /** Returns a connection for which something is due, and has nothing due for it any more; null when none is. */
    CmConnection nextDue(long nowNs) {
        if (timers.isEmpty() || timers.first().deadlineNs - nowNs > 0) {
            return null;
        }
        CmConnection c = timers.pollFirst();
        c.timed = false;
        return c;
    }

    /** Returns when something is due, or {@link ConnectionManager#NEVER}. */
    long deadlineNs() {
        return timers.isEmpty() ? ConnectionManager.NEVER : timers.first().deadlineNs;
    }

    /** Has the ids of a connection rest. */
    void rest(CmConnection c, long nowNs) {
        move(c, State.TIMEWAIT);
        due(c, nowNs + settings.restNs());
        resting.add(c);
        while (resting.size() > settings.mostResting()) {
            remove(resting.poll());
        }
    }

    void remove(CmConnection c) {
        if (c.state == State.GONE) {
            return;
        }
        if (c.state == State.TIMEWAIT && !resting.isEmpty()) {
            if (resting.peek() == c) {
                resting.poll();
            } else {
                resting.remove(c);
            }
        }
        notDue(c);
        move(c, State.GONE);
        byLocal.remove(c.localId);
        if (!c.active) {
            byRemote.remove(new RemoteKey(c.peer.gid(), c.remoteId));
        }
    }

    int size() {
        return byLocal.size();
    }

    int halfOpen() {
        return halfOpen;
    }

    int disconnecting() {
        return disconnecting + closing;
    }

    /** Has a half-open connection disconnect once its peer has shown that it gets what is sent to it. */
    void closeWhenProven(CmConnection c) {
        closing += c.closing ? 0 : 1;
        c.closing = true;
    }

    List<CmConnection> all() {
        return List.copyOf(byLocal.values());
    }

    /** Returns true when nothing is kept of any connection. */
    boolean isEmpty() {
        return byLocal.isEmpty() && byRemote.isEmpty() && byRemoteQp.isEmpty() && timers.isEmpty()
                && halfOpenOf.isEmpty() && resting.isEmpty() && halfOpen == 0 && disconnecting == 0 && closing == 0;
    }
}
