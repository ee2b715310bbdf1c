package org.jvrpc.runtime.counters.totals;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.runtime.counters.EndpointCounters;

/**
 * Adds up what clients and servers of one address counted. What one of them counted stays when it is closed, as last
 * read, so that sums do not fall, until the last one of its address is. One thread.
 */
public final class Tally {

    private final Map<Long, EndpointCounters> last = new HashMap<>();
    private final Map<Totals.Key, Totals> closed = new HashMap<>();

    /** Returns the sums, by whose they are, of all that there are at a moment later than those before. */
    public Map<Totals.Key, Totals> add(List<EndpointCounters> now) {
        Set<Long> there = new HashSet<>();
        Set<Totals.Key> keys = new HashSet<>();
        for (EndpointCounters endpoint : now) {
            there.add(endpoint.id());
            keys.add(Totals.Key.of(endpoint));
        }
        last.values().removeIf(endpoint -> {
            if (there.contains(endpoint.id())) {
                return false;
            }
            closed.computeIfAbsent(Totals.Key.of(endpoint), key -> new Totals()).addCounts(endpoint);
            return true;
        });
        closed.keySet().retainAll(keys);
        Map<Totals.Key, Totals> sums = new HashMap<>();
        for (EndpointCounters endpoint : now) {
            last.put(endpoint.id(), endpoint);
            sums.computeIfAbsent(Totals.Key.of(endpoint), key ->
                    closed.containsKey(key) ? new Totals(closed.get(key)) : new Totals()).add(endpoint);
        }
        return sums;
    }
}
