package org.jvrpc.runtime;

/**
 * Bounds the cost of one principal to a server, over all its sessions; 0 is no limit of that kind, the default of all.
 * Beyond a limit a call ends with RESOURCE_EXHAUSTED, before its arguments are decoded, and a session is not begun.
 * Whoever is not known counts by host. A builder's argument, copied when it builds. One thread.
 */
public final class PrincipalLimits {

    private int maxSessions;
    private int maxCalls;
    private long callsPerSecond;
    private long bytesPerSecond;

    PrincipalLimits copy() {
        PrincipalLimits copy = new PrincipalLimits();
        copy.maxSessions = maxSessions;
        copy.maxCalls = maxCalls;
        copy.callsPerSecond = callsPerSecond;
        copy.bytesPerSecond = bytesPerSecond;
        return copy;
    }

    private static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must not be negative, " + name + "=" + value);
        }
        return value;
    }

    /** Sets how many sessions it may have at once. They count for who the transport says is at the other end. */
    public PrincipalLimits maxSessions(int sessions) {
        maxSessions = (int) notNegative("maxSessions", sessions);
        return this;
    }

    /** Returns how many sessions it may have, {@link Integer#MAX_VALUE} where there is no limit. */
    public int maxSessions() {
        return maxSessions == 0 ? Integer.MAX_VALUE : maxSessions;
    }

    /** Sets how many calls may be under way, those that wait for the executor among them. */
    public PrincipalLimits maxCalls(int calls) {
        maxCalls = (int) notNegative("maxCalls", calls);
        return this;
    }

    /** Returns how many calls may be under way, {@link Integer#MAX_VALUE} where there is no limit. */
    public int maxCalls() {
        return maxCalls == 0 ? Integer.MAX_VALUE : maxCalls;
    }

    /** Sets how many calls a second there may be; as many may come at once after a second of silence. */
    public PrincipalLimits callsPerSecond(long calls) {
        callsPerSecond = notNegative("callsPerSecond", calls);
        return this;
    }

    /** Returns how many calls a second there may be, 0 for any number. */
    public long callsPerSecond() {
        return callsPerSecond;
    }

    /**
     * Sets how many bytes a second arguments may have, with what travels beside them. One call may have more: then the
     * next has to wait longer.
     */
    public PrincipalLimits bytesPerSecond(long bytes) {
        bytesPerSecond = notNegative("bytesPerSecond", bytes);
        return this;
    }

    /** Returns how many bytes a second arguments may have, 0 for any number. */
    public long bytesPerSecond() {
        return bytesPerSecond;
    }
}
