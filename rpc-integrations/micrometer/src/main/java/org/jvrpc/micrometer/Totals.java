package org.jvrpc.micrometer;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.MethodCounters;
import org.jvrpc.runtime.counters.SessionCounters;

/**
 * What all clients, or servers, of an address counted, those that are closed among them. Immutable, once it is made.
 */
final class Totals {

    /** What counters are told apart by. */
    record Key(EndpointCounters.Role role, String address) {

        static Key of(EndpointCounters endpoint) {
            return new Key(endpoint.role(), endpoint.address());
        }
    }

    /** What grows, with where it is read. */
    enum Count {
        SESSIONS_OPENED(EndpointCounters::sessionsOpened),
        RECONNECTS(EndpointCounters::reconnects),
        CONNECTS_FAILED(EndpointCounters::connectsFailed),
        WAITS(EndpointCounters::waits),
        SLEEPS(EndpointCounters::sleeps),
        OFFLOADED(EndpointCounters::offloaded);

        private final ToLongFunction<EndpointCounters> read;

        Count(ToLongFunction<EndpointCounters> read) {
            this.read = read;
        }
    }

    /** What goes up and down, with where it is read; closed ones have none. */
    enum Level {
        SESSIONS(endpoint -> endpoint.sessions().size()),
        SLOTS(sum(SessionCounters::slots)),
        CREDITS(sum(SessionCounters::credits)),
        ACTIVE(sum(SessionCounters::inFlight)),
        QUEUED(EndpointCounters::queued);

        private final ToLongFunction<EndpointCounters> read;

        Level(ToLongFunction<EndpointCounters> read) {
            this.read = read;
        }

        private static ToLongFunction<EndpointCounters> sum(ToLongFunction<SessionCounters> each) {
            return endpoint -> endpoint.sessions().stream().mapToLong(each).sum();
        }
    }

    private final Map<String, MethodTotals> methods;
    private final long[] counts;
    private final long[] levels = new long[Level.values().length];

    Totals() {
        this.methods = new TreeMap<>();
        this.counts = new long[Count.values().length];
    }

    /** As the other, of which the clients or servers that there are now are not yet. */
    Totals(Totals closed) {
        this.methods = new TreeMap<>(closed.methods);
        this.counts = closed.counts.clone();
    }

    /** Adds what is never taken back. */
    void addCounts(EndpointCounters endpoint) {
        for (Count count : Count.values()) {
            counts[count.ordinal()] += count.read.applyAsLong(endpoint);
        }
        for (MethodCounters method : endpoint.methods()) {
            methods.merge(name(method), MethodTotals.NONE.plus(method), (before, one) -> before.plus(method));
        }
    }

    /** Adds one that there is now. */
    void add(EndpointCounters endpoint) {
        addCounts(endpoint);
        for (Level level : Level.values()) {
            levels[level.ordinal()] += level.read.applyAsLong(endpoint);
        }
    }

    /** As the conventions have it: {@code _OTHER} for a method that the server does not know. */
    private static String name(MethodCounters method) {
        return method.service().isEmpty() ? method.method() : method.service() + "/" + method.method();
    }

    /** Returns those of its methods, by their full names; not to be changed. */
    Map<String, MethodTotals> methods() {
        return methods;
    }

    MethodTotals method(String name) {
        return methods.getOrDefault(name, MethodTotals.NONE);
    }

    long get(Count count) {
        return counts[count.ordinal()];
    }

    long get(Level level) {
        return levels[level.ordinal()];
    }
}
