package org.jvrpc.benchmarks.soak.plan;

import java.util.List;
import java.util.Set;

/**
 * One process of a campaign, through all its lives.
 *
 * @param number of its region in the journal
 * @param mortal whether it is killed; what the others hold is sampled for leaks
 */
public record Place(int number, String name, Role role, boolean mortal) {

    /** What a process does. */
    public enum Role {
        /** Serves calls and messages, until it is told to drain or to close. */
        SERVER(Set.of(Fault.Kind.KILL, Fault.Kind.STOP, Fault.Kind.DRAIN, Fault.Kind.SHUT)),
        /** Makes calls of all kinds, a few at a time. */
        MODEST(Set.of(Fault.Kind.KILL, Fault.Kind.STOP, Fault.Kind.CLOSE, Fault.Kind.INTERRUPT)),
        /** Has as many calls under way as it may, with long bodies among them. */
        GREEDY(Set.of(Fault.Kind.KILL, Fault.Kind.STOP, Fault.Kind.CLOSE, Fault.Kind.INTERRUPT)),
        /** Sends messages as fast as they are taken. */
        SENDER(Set.of(Fault.Kind.KILL, Fault.Kind.STOP, Fault.Kind.CLOSE)),
        /** Sends messages, and now and then takes none. */
        READER(Set.of(Fault.Kind.KILL, Fault.Kind.STOP, Fault.Kind.CLOSE));

        private final Set<Fault.Kind> faults;

        Role(Set<Fault.Kind> faults) {
            this.faults = faults;
        }
    }

    /** All kinds of processes: two servers, one of which lives through the campaign, and five clients. */
    public static List<Place> full() {
        return List.of(new Place(0, "steady", Role.SERVER, false), new Place(1, "mortal", Role.SERVER, true),
                new Place(2, "modest", Role.MODEST, false), new Place(3, "doomed", Role.MODEST, true),
                new Place(4, "greedy", Role.GREEDY, true), new Place(5, "sender", Role.SENDER, false),
                new Place(6, "reader", Role.READER, true));
    }

    /** The fewest processes that find a planted fault. */
    public static List<Place> few() {
        return List.of(new Place(0, "steady", Role.SERVER, false), new Place(2, "modest", Role.MODEST, false));
    }

    /** Returns true for a server, false for a client. */
    public boolean isServer() {
        return role == Role.SERVER;
    }

    /** Returns true for a client that calls, false for a server and for a client of messages. */
    public boolean isCaller() {
        return role == Role.MODEST || role == Role.GREEDY;
    }

    /** Who lives through the campaign is neither killed nor closed with calls under way. */
    boolean takes(Fault.Kind kind) {
        boolean deadly = kind == Fault.Kind.KILL || kind == Fault.Kind.SHUT;
        return role.faults.contains(kind) && (mortal || !deadly);
    }
}
