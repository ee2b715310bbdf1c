package org.jvrpc.runtime.channel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.balance.Candidate;
import org.jvrpc.runtime.balance.LoadBalancingPolicy;
import org.jvrpc.runtime.balance.ServerPicker;
import org.jvrpc.runtime.balance.ServerState;
import org.jvrpc.runtime.health.Checkup;
import org.jvrpc.runtime.health.HealthProbe;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.route.ServerLink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of one client, and what is to be done about them. A state machine: the caller passes the time in, does
 * what it is told, and says how that went. Under the client's lock.
 */
final class ServerSet {

    private static final Logger LOG = LoggerFactory.getLogger(ServerSet.class);

    private final ChannelOptions options;
    private final WayRules rules;
    private final LoadBalancingPolicy policy;
    private final LongSupplier random;
    private final Outliers outliers;
    private final List<ServerLink> leaving = new ArrayList<>();
    private Map<String, SubChannel> servers = new LinkedHashMap<>();
    private RpcException unresolved;
    private boolean resolved;
    private volatile boolean network;
    private volatile int count;
    /** What pickers are made of has changed, but for who is ready. */
    private boolean stale;
    private Snapshot last = Snapshot.BEFORE;

    ServerSet(ChannelOptions options, boolean own, LongSupplier random) {
        this.options = options;
        this.rules = options.rules(own);
        this.random = random;
        this.policy = options.balancing().policy(random);
        this.outliers = new Outliers(options.ejection());
    }

    Collection<SubChannel> all() {
        return servers.values();
    }

    Outliers outliers() {
        return outliers;
    }

    /** Returns why no server is known, or null. */
    RpcException unresolved() {
        return unresolved;
    }

    /** Returns true once the resolver has said something. */
    boolean isResolved() {
        return resolved || unresolved != null;
    }

    /** The servers could not be looked up: those that are known stay. */
    void unresolved(RpcException why) {
        unresolved = why;
    }

    /** These are the servers from now on. */
    void resolved(List<ServerEntry> entries) {
        resolved = true;
        stale = true;
        unresolved = null;
        Map<String, SubChannel> next = new LinkedHashMap<>();
        for (ServerEntry entry : entries) {
            if (next.size() == ServerEntry.MAX_SERVERS) {
                LOG.warn("servers={} are more than {}: the rest is not used", entries.size(), ServerEntry.MAX_SERVERS);
                break;
            }
            next.computeIfAbsent(entry.id(), id -> kept(entry));
        }
        for (SubChannel server : servers.values()) {
            if (next.get(server.entry().id()) != server) {
                server.forget();
                retire(server);
            }
        }
        servers = next;
        count = next.size();
        network |= servers.values().stream().anyMatch(SubChannel::isOnNetwork);
    }

    /** Returns true once a server was known that may be connected to over a network. Any thread. */
    boolean hasNetwork() {
        return network;
    }

    /** Returns how many servers are known. Any thread. */
    int count() {
        return count;
    }

    /** Returns the server that was there with the same addresses, or a new one. */
    private SubChannel kept(ServerEntry entry) {
        SubChannel old = servers.get(entry.id());
        boolean same = old != null && old.entry().addresses().equals(entry.addresses())
                && old.entry().attributes().equals(entry.attributes());
        if (!same) {
            return new SubChannel(entry, rules, options.backoff(), new Checkup(options.health(), random), random);
        }
        old.entry(entry);
        return old;
    }

    /** Takes no new calls there; the connection ends when those in flight have. */
    private void retire(SubChannel server) {
        ServerLink last = server.takeLink();
        if (last != null) {
            last.leave();
            leaving.add(last);
        }
    }

    /**
     * An attempt succeeded; where the server is known no more, the connection is the caller's, and false comes back.
     *
     * @param probe asks the server whether it can serve; null where nobody does
     */
    boolean connected(SubChannel server, ServerLink link, Way way, HealthProbe probe, long nowNs) {
        stale = true;
        if (!server.isForgotten()) {
            server.connected(link, way, probe, nowNs);
        }
        return !server.isForgotten();
    }

    /** Takes connections away that are lost. @return true when there was one */
    boolean dropLost() {
        boolean any = false;
        for (SubChannel server : servers.values()) {
            ServerLink link = server.link();
            if (link != null && !link.isConnected()) {
                retire(server);
                any = true;
            }
        }
        return any;
    }

    /** Returns the connections that have no calls any more, to be closed; they are the caller's. */
    List<ServerLink> takeDrained() {
        if (leaving.isEmpty()) {
            return List.of();
        }
        List<ServerLink> drained = leaving.stream().filter(ServerLink::isDrained).toList();
        leaving.removeAll(drained);
        return drained;
    }

    boolean isDraining() {
        return !leaving.isEmpty();
    }

    /** Returns all connections, which are the caller's to close; there are none any more. */
    List<ServerLink> takeAll() {
        List<ServerLink> all = new ArrayList<>(leaving);
        leaving.clear();
        for (SubChannel server : servers.values()) {
            server.forget();
            ServerLink last = server.takeLink();
            if (last != null) {
                all.add(last);
            }
        }
        return all;
    }

    /**
     * Looks which connections are wanted: ends the others, and begins attempts.
     *
     * @param attempts gets the servers to connect to now, each of which is told how that ended
     */
    Snapshot look(long nowNs, List<SubChannel> attempts) {
        List<Candidate> all = List.copyOf(servers.values());
        Set<Candidate> wanted = new HashSet<>(wanted(all));
        boolean pending = false;
        for (SubChannel server : servers.values()) {
            if (!wanted.contains(server)) {
                retire(server);
            } else if (server.isDue(nowNs)) {
                server.begin();
                attempts.add(server);
            }
            pending |= server.state() == ServerState.CONNECTING;
        }
        Snapshot now = snapshot(pending);
        last = now.isLike(last) ? last : now; // those who wait look at whether it is another
        stale = false;
        return last;
    }

    /** A policy of others' making may fail: then all servers are wanted, and the first ready one is picked. */
    private List<Candidate> wanted(List<Candidate> all) {
        try {
            return policy.wanted(all);
        } catch (RuntimeException e) {
            LOG.error("a load balancing policy failed", e);
            return all;
        }
    }

    private Snapshot snapshot(boolean pending) {
        List<SubChannel> ready = new ArrayList<>();
        List<SubChannel> ejected = new ArrayList<>();
        for (SubChannel server : servers.values()) {
            if (server.isReady()) {
                ready.add(server);
            } else if (server.state() == ServerState.EJECTED) {
                ejected.add(server);
            }
        }
        if (ready.isEmpty() && !pending) {
            ready.addAll(ejected); // better than none
        }
        SubChannel[] picked = ready.toArray(new SubChannel[0]);
        SubChannel[] probes = ready.containsAll(ejected) ? new SubChannel[0] : ejected.toArray(new SubChannel[0]);
        ServerPicker picker = stale || !Arrays.equals(picked, last.ready()) ? picker(ready) : last.picker();
        return new Snapshot(picked, picker, probes, pending || !isResolved());
    }

    private ServerPicker picker(List<SubChannel> ready) {
        if (ready.isEmpty()) {
            return Snapshot.BEFORE.picker();
        }
        try {
            return policy.picker(List.copyOf(ready));
        } catch (RuntimeException e) {
            LOG.error("a load balancing policy failed", e);
            return hash -> 0;
        }
    }

    /** Returns the servers to ask now whether they can serve, with what to ask by; of each it is told what came. */
    Map<SubChannel, HealthProbe> dueCheckups(long nowNs) {
        if (options.health() == null) {
            return Map.of();
        }
        Map<SubChannel, HealthProbe> due = new LinkedHashMap<>();
        for (SubChannel server : servers.values()) {
            HealthProbe probe = server.checkup().tryAsk(nowNs);
            if (probe != null) {
                due.put(server, probe);
            }
        }
        return due;
    }

    /** Returns how long there is nothing to do, in nanoseconds. */
    long waitNs(long nowNs) {
        long least = outliers.waitNs(servers.values(), nowNs);
        Set<Candidate> wanted = new HashSet<>(wanted(List.copyOf(servers.values())));
        for (SubChannel server : servers.values()) {
            least = Math.min(least, server.checkup().waitNs(nowNs));
            if (wanted.contains(server)) {
                least = Math.min(least, server.waitNs(nowNs));
            }
        }
        return least;
    }
}
