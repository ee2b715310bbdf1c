package org.jvrpc.runtime.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.balance.Candidate;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.balance.ServerState;
import org.jvrpc.runtime.balance.ServerStatus;
import org.jvrpc.runtime.channel.lookup.Backoff;
import org.jvrpc.runtime.graph.ClosedGraphs;
import org.jvrpc.runtime.health.Checkup;
import org.jvrpc.runtime.health.HealthProbe;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.route.ServerLink;

/**
 * One server of a client: its addresses, the pauses of each, and the connection. Changed under the client's lock, read
 * by any thread.
 */
final class SubChannel implements Candidate {

    /** An address, and when to try it again. */
    private static final class Door {
        final Way way;
        final Backoff backoff;
        boolean waits;
        long nextNs;
        RpcException failure;

        Door(Way way, Backoff backoff) {
            this.way = way;
            this.backoff = backoff;
        }
    }

    private final List<Door> doors = new ArrayList<>();
    private final String unusable;
    private final Outlier outlier = new Outlier();
    private final Checkup checkup;
    private volatile ServerEntry entry;
    private volatile ServerState state;
    private volatile ServerLink link;
    private volatile Way through;
    private volatile String lastFailure = "";
    private volatile Status lastStatus = Status.UNAVAILABLE;
    private boolean attempting;
    private boolean forgotten;

    /** @param network pauses on ways whose servers answer, not this host */
    SubChannel(ServerEntry entry, WayRules rules, ConnectionBackoff network, Checkup checkup, LongSupplier random) {
        this.entry = entry;
        this.checkup = checkup;
        List<String> refused = new ArrayList<>();
        for (Way way : rules.waysOf(entry, refused)) {
            doors.add(new Door(way, new Backoff(way.isAnsweredHere() ? ConnectionBackoff.LOCAL : network,
                    random)));
        }
        this.unusable = String.join(", ", refused);
        this.state = doors.isEmpty() ? ServerState.UNUSABLE : ServerState.IDLE;
        if (doors.isEmpty()) {
            lastFailure = unusable;
            lastStatus = Status.FAILED_PRECONDITION;
        }
    }

    // ---- what it is, any thread

    @Override
    public ServerEntry entry() {
        return entry;
    }

    @Override
    public ServerState state() {
        ServerState now = state;
        if (now != ServerState.READY) {
            return now;
        }
        if (!checkup.isWell()) { // calls wait until it is known whether it is
            return checkup.isKnown() ? ServerState.UNHEALTHY : ServerState.CONNECTING;
        }
        return outlier.isEjected() ? ServerState.EJECTED : ServerState.READY;
    }

    @Override
    public int distance() {
        Way way = through;
        return way != null ? way.distance() : doors.isEmpty() ? Integer.MAX_VALUE : doors.get(0).way.distance();
    }

    @Override
    public int inFlight() {
        ServerLink now = link;
        return now == null ? 0 : now.inFlight();
    }

    /** Returns true when one of its addresses leaves this host. */
    boolean isOnNetwork() {
        return doors.stream().anyMatch(door -> ClosedGraphs.areOffAt(door.way.address()));
    }

    /** Returns the connection, or null. */
    ServerLink link() {
        return link;
    }

    Outlier outlier() {
        return outlier;
    }

    String address() {
        Way way = through;
        return way != null ? way.address()
                : doors.isEmpty() ? entry.addresses().get(0) : doors.get(0).way.address();
    }

    ServerStatus status() {
        ServerState now = state();
        String reason = switch (now) {
            case FAILED, UNUSABLE -> lastFailure;
            case UNHEALTHY -> checkup.reason();
            case EJECTED -> "too many of its calls failed";
            default -> "";
        };
        return new ServerStatus(entry.id(), Way.withoutOptions(address()), now, inFlight(), reason);
    }

    /** Returns why it cannot be called, for a message. */
    String why() {
        ServerStatus now = status();
        String id = now.id().equals(now.address()) ? "" : now.id() + " at ";
        return id + now.address() + " is " + now.state() + (now.reason().isEmpty() ? "" : ": " + now.reason());
    }

    Checkup checkup() {
        return checkup;
    }

    /** Returns what calls that would go there fail with: while there is no connection as its last attempt did. */
    Status failureStatus() {
        return link != null ? Status.UNAVAILABLE : lastStatus;
    }

    // ---- what becomes of it, under the client's lock

    /** The resolver says something else of it that leaves its addresses as they are. */
    void entry(ServerEntry value) {
        entry = value;
    }

    boolean hasConnection() {
        return state == ServerState.READY;
    }

    /** Returns true when a call may go there. */
    boolean isReady() {
        ServerLink now = link;
        return state() == ServerState.READY && now != null && now.isConnected();
    }

    /** Returns true when an attempt is to be made, whose time has come. */
    boolean isDue(long nowNs) {
        return !attempting && link == null && !forgotten && leastWaitNs(nowNs) <= 0;
    }

    /** Returns how long until it is due; for ever while it is connected, or somebody is at it. */
    long waitNs(long nowNs) {
        return attempting || link != null || doors.isEmpty() ? Long.MAX_VALUE : leastWaitNs(nowNs);
    }

    private long leastWaitNs(long nowNs) {
        long least = Long.MAX_VALUE;
        for (Door door : doors) {
            least = Math.min(least, door.waits ? Math.max(0, door.nextNs - nowNs) : 0);
        }
        return least;
    }

    /** An attempt begins. One that failed before stays so until it succeeds: calls do not wait for it. */
    void begin() {
        attempting = true;
        if (state == ServerState.IDLE) {
            state = ServerState.CONNECTING;
        }
    }

    /** Returns the addresses to try now, the nearest first. */
    List<Way> dueWays(long nowNs) {
        List<Way> due = new ArrayList<>();
        for (Door door : doors) {
            if (!door.waits || door.nextNs - nowNs <= 0) {
                due.add(door.way);
            }
        }
        return due;
    }

    void failed(Way way, RpcException failure, long nowNs) {
        for (Door door : doors) {
            if (door.way == way) {
                door.failure = failure;
                door.waits = true;
                door.nextNs = nowNs + door.backoff.failed();
            }
        }
    }

    /** The attempt is over, and no address was of use. */
    void allFailed() {
        attempting = false;
        StringBuilder why = new StringBuilder();
        for (Door door : doors) {
            if (door.failure != null) {
                lastStatus = door.failure.status();
                why.append(why.isEmpty() ? "" : "; ").append(door.failure.getMessage());
            }
        }
        lastFailure = why.toString();
        state = ServerState.FAILED;
    }

    /** @param probe asks whether it can serve; null where nobody does */
    void connected(ServerLink fresh, Way way, HealthProbe probe, long nowNs) {
        attempting = false;
        checkup.begin(probe, nowNs);
        through = way;
        link = fresh;
        state = ServerState.READY;
        outlier.begin();
        for (Door door : doors) {
            door.failure = null;
            door.waits = false;
            if (door.way == way) {
                door.backoff.succeeded();
            }
        }
    }

    /** Takes the connection away, whose loss or end is another's business; the next attempt may be made at once. */
    ServerLink takeLink() {
        ServerLink last = link;
        link = null;
        through = null;
        if (last != null) {
            state = ServerState.IDLE;
            outlier.begin();
            checkup.end();
        }
        return last;
    }

    /** The resolver knows it no more: an attempt that is under way is for nothing. */
    void forget() {
        forgotten = true;
    }

    boolean isForgotten() {
        return forgotten;
    }
}
