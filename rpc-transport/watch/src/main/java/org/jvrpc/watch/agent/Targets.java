package org.jvrpc.watch.agent;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.RackNames;

/**
 * Whom an agent probes next. A share goes to its own rack, the rest to the other racks in turn. As each agent begins at
 * the place that it has in its rack itself, all hosts are probed alike though nobody tells the agents whom. One thread.
 */
final class Targets {

    /** The step from host to host in a rack: a prime, so that each is met. */
    private static final int STRIDE = 7919;

    private final List<Peer> own = new ArrayList<>();
    private final List<List<Peer>> racks = new ArrayList<>();
    private final long[] visits;
    private final int rank;
    private final double ownShare;
    private double credit;
    private int nextOwn;
    private int nextRack;

    /** @param peers all that are usable, without oneself */
    Targets(AgentInfo self, List<Peer> peers, double sameRackShare) {
        TreeMap<String, List<Peer>> byRack = new TreeMap<>();
        for (Peer peer : peers) {
            byRack.computeIfAbsent(RackNames.full(peer.info), rack -> new ArrayList<>()).add(peer);
        }
        byRack.values().forEach(rack -> rack.sort(Comparator.comparingInt(peer -> peer.info.id())));
        String rackOfSelf = RackNames.full(self);
        List<Peer> same = byRack.remove(rackOfSelf);
        int place = 0;
        if (same != null) {
            while (place < same.size() && same.get(place).info.id() < self.id()) {
                place++;
            }
            own.addAll(same.subList(place, same.size())); // begins with the next one
            own.addAll(same.subList(0, place));
        }
        rank = place;
        racks.addAll(byRack.tailMap(rackOfSelf).values());
        racks.addAll(byRack.headMap(rackOfSelf).values());
        visits = new long[racks.size()];
        nextRack = racks.isEmpty() ? 0 : rank % racks.size();
        ownShare = own.isEmpty() ? 0 : racks.isEmpty() ? 1 : sameRackShare;
    }

    /** Returns the next one, or null when there is nobody. */
    Peer next() {
        if (own.isEmpty() && racks.isEmpty()) {
            return null;
        }
        credit += ownShare;
        if (credit >= 1) {
            credit -= 1;
            Peer peer = own.get(nextOwn);
            nextOwn = (nextOwn + 1) % own.size();
            return peer;
        }
        List<Peer> rack = racks.get(nextRack);
        long visit = visits[nextRack]++;
        nextRack = (nextRack + 1) % racks.size();
        int stride = rack.size() % STRIDE == 0 ? 1 : STRIDE % rack.size();
        return rack.get((int) ((rank + visit % rack.size() * stride) % rack.size()));
    }
}
