package org.jvrpc.watch.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.ProbeTransport;
import org.jvrpc.watch.Registry;
import org.jvrpc.watch.probe.ProbeLayout;

/**
 * The other agents, as the registry has them. One that goes and comes back as it was is remembered, with the numbers of
 * the probes that it sent and was sent. One thread.
 */
final class PeerTable {

    private static final int MOST_GONE = 1024;

    private final AgentInfo self;
    private final Registry registry;
    private final ProbeTransport transport;
    private final double answersPerSecond;
    private final int recent;
    private final Map<Integer, Peer> gone = new LinkedHashMap<>();
    private Map<Integer, Peer> peers = new HashMap<>();
    private long epoch;
    private boolean read;
    private long highest;
    private int otherVersions;
    private String trouble;

    /** @param recent how many probes of a peer are remembered, a power of two */
    PeerTable(AgentInfo self, Registry registry, ProbeTransport transport, double answersPerSecond, int recent) {
        this.self = self;
        this.registry = registry;
        this.transport = transport;
        this.answersPerSecond = answersPerSecond;
        this.recent = recent;
    }

    /** Looks whether the registry has changed. @return true when there are others than before */
    boolean refresh() {
        long now = registry.epoch();
        if (read && now == epoch) {
            return false;
        }
        read = true;
        epoch = now;
        peers.values().forEach(peer -> highest = Math.max(highest, peer.sequence()));
        Map<Integer, Peer> next = new HashMap<>();
        otherVersions = 0;
        trouble = null;
        for (AgentInfo info : registry.agents()) {
            if (info.id() == self.id()) {
                if (info.incarnation() != self.incarnation()) {
                    trouble = "another agent has id=" + self.id() + ": " + info.name();
                }
            } else if (info.version() != ProbeLayout.VERSION) {
                otherVersions++;
            } else if (next.containsKey(info.id())) {
                trouble = "two agents have id=" + info.id() + ": " + next.get(info.id()).info.name() + ", "
                        + info.name();
            } else {
                next.put(info.id(), peer(info));
            }
        }
        peers.forEach((id, peer) -> {
            if (next.get(id) != peer) {
                retire(peer);
            }
        });
        boolean others = !next.equals(peers);
        peers = next;
        return others;
    }

    private Peer peer(AgentInfo info) {
        Peer known = peers.get(info.id());
        if (known == null) {
            known = gone.get(info.id());
        }
        if (known != null && known.is(info)) {
            if (gone.remove(info.id()) == known) {
                known.handle = handle(info);
            }
            return known;
        }
        return new Peer(info, handle(info), answersPerSecond, highest, recent);
    }

    private int handle(AgentInfo info) {
        try {
            return transport.peer(info.address());
        } catch (IllegalArgumentException e) {
            trouble = info.name() + " cannot be probed: " + e.getMessage();
            return -1;
        }
    }

    private void retire(Peer peer) {
        if (peer.isUsable()) {
            transport.forget(peer.handle);
            peer.handle = -1;
        }
        gone.put(peer.info.id(), peer);
        if (gone.size() > MOST_GONE) {
            gone.remove(gone.keySet().iterator().next());
        }
    }

    /** Returns one by its id, or null. */
    Peer find(int id) {
        return peers.get(id);
    }

    /** Returns those that can be probed. */
    List<Peer> usable() {
        List<Peer> usable = new ArrayList<>();
        for (Peer peer : peers.values()) {
            if (peer.isUsable()) {
                usable.add(peer);
            }
        }
        return usable;
    }

    /** Returns how many agents speak another version. */
    int otherVersions() {
        return otherVersions;
    }

    /** Returns what is wrong with the list, or null. */
    String trouble() {
        return trouble != null ? trouble : registry.trouble();
    }
}
