package org.jvrpc.runtime.counters.totals;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.MethodCounters;
import org.jvrpc.runtime.counters.ServerAddress;
import org.jvrpc.runtime.counters.SessionCounters;

/**
 * What all clients, or servers, of an address counted, whatever its scheme and options, those that are closed among
 * them. Immutable, once it is made.
 */
public final class Totals {

    /** What counters are told apart by: no more than meters say, as no two may say the same. */
    public record Key(EndpointCounters.Role role, ServerAddress address) {

        /** Returns that of an endpoint. */
        public static Key of(EndpointCounters endpoint) {
            return new Key(endpoint.role(), ServerAddress.of(endpoint.address()));
        }
    }

    /** What grows, with where it is read. */
    public enum Count {
        SESSIONS_OPENED("sessions.opened", EndpointCounters::sessionsOpened),
        RECONNECTS("reconnects", EndpointCounters::reconnects),
        CONNECTS_FAILED("connects.failed", EndpointCounters::connectsFailed),
        WAITS("waits", EndpointCounters::waits),
        SLEEPS("sleeps", EndpointCounters::sleeps),
        OFFLOADED("calls.offloaded", EndpointCounters::offloaded);

        private final String meter;
        private final ToLongFunction<EndpointCounters> read;

        Count(String meter, ToLongFunction<EndpointCounters> read) {
            this.meter = meter;
            this.read = read;
        }

        /** Returns the name of its meter behind {@code jvrpc.client.} or {@code jvrpc.server.}. */
        public String meter() {
            return meter;
        }
    }

    /** What goes up and down, with where it is read; closed ones have none. */
    public enum Level {
        SESSIONS("sessions", endpoint -> endpoint.sessions().size()),
        SLOTS("slots", sum(SessionCounters::slots)),
        CREDITS("credits", sum(SessionCounters::credits)),
        ACTIVE("calls.active", sum(SessionCounters::inFlight)),
        QUEUED("calls.queued", EndpointCounters::queued);

        private final String meter;
        private final ToLongFunction<EndpointCounters> read;

        Level(String meter, ToLongFunction<EndpointCounters> read) {
            this.meter = meter;
            this.read = read;
        }

        /** Returns the name of its meter behind {@code jvrpc.client.} or {@code jvrpc.server.}. */
        public String meter() {
            return meter;
        }

        private static ToLongFunction<EndpointCounters> sum(ToLongFunction<SessionCounters> each) {
            return endpoint -> endpoint.sessions().stream().mapToLong(each).sum();
        }
    }

    private final Map<String, MethodTotals> methods;
    private final long[] counts;
    private final long[] levels = new long[Level.values().length];

    /** Nothing. */
    public Totals() {
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
    public Map<String, MethodTotals> methods() {
        return methods;
    }

    /** Returns those of a method, by its full name. */
    public MethodTotals method(String name) {
        return methods.getOrDefault(name, MethodTotals.NONE);
    }

    /** Returns how often something was. */
    public long get(Count count) {
        return counts[count.ordinal()];
    }

    /** Returns how much there is of something. */
    public long get(Level level) {
        return levels[level.ordinal()];
    }
}
