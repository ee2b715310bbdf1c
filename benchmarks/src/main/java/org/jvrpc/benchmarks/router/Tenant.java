package org.jvrpc.benchmarks.router;

/**
 * A tenant as a benchmark has it made.
 *
 * @param name of its folder
 * @param address virtual, a number
 * @param end whose user's it is: of which of a contender's processes
 * @param quota fields of its quota in the control file, without braces; empty for what all have
 * @param host where it lives
 */
public record Tenant(String name, String address, String end, String quota, String host) {

    /** A tenant of the one host that most have. */
    Tenant(String name, String address, String end, String quota) {
        this(name, address, end, quota, RouterPlace.HOST);
    }

    /** Returns this tenant at another host. */
    Tenant at(String other) {
        return new Tenant(name, address, end, quota, other);
    }
}
