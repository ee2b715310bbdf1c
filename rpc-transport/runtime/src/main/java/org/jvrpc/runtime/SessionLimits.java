package org.jvrpc.runtime;

/**
 * Bounds the cost of a server's clients, each and together. A server commits memory to a client after it has
 * admitted it, and grants less than was asked for when memory becomes scarce; beyond a limit a client, or a call, is
 * refused with RESOURCE_EXHAUSTED and a message that names the limit. A builder's argument, copied when it builds. One
 * thread.
 */
public final class SessionLimits {

    private static final long MIB = 1L << 20;

    private int maxSessions = 1000;
    private int maxSessionsPerPeer = 500;
    private long sessionMemory = 1024 * MIB;
    private long bodyMemoryPerSession = 2304 * MIB;
    private long bodyMemory = 2 * 2304 * MIB;
    private long streamMemoryPerSession = 128 * MIB;
    private long streamMemory = 256 * MIB;

    SessionLimits copy() {
        SessionLimits copy = new SessionLimits();
        copy.maxSessions = maxSessions;
        copy.maxSessionsPerPeer = maxSessionsPerPeer;
        copy.sessionMemory = sessionMemory;
        copy.bodyMemoryPerSession = bodyMemoryPerSession;
        copy.bodyMemory = bodyMemory;
        copy.streamMemoryPerSession = streamMemoryPerSession;
        copy.streamMemory = streamMemory;
        return copy;
    }

    private static long atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", " + name + "=" + value);
        }
        return value;
    }

    /**
     * Sets how many sessions there may be, at least 1, default 1000. The software RNIC has room for some 4000 memory
     * regions: a session has one, one more each time that it gets slots, and some for long bodies.
     */
    public SessionLimits maxSessions(int sessions) {
        maxSessions = (int) atLeast("maxSessions", sessions, 1);
        return this;
    }

    /** Returns how many sessions there may be. */
    public int maxSessions() {
        return maxSessions;
    }

    /**
     * Sets how many sessions one peer may have, at least 1, default 500. A peer is a host, and a process where clients
     * are on this host by shared memory or in the server's own.
     */
    public SessionLimits maxSessionsPerPeer(int sessions) {
        maxSessionsPerPeer = (int) atLeast("maxSessionsPerPeer", sessions, 1);
        return this;
    }

    /** Returns how many sessions one peer may have. */
    public int maxSessionsPerPeer() {
        return maxSessionsPerPeer;
    }

    /**
     * Sets how much memory the slots and queues of all sessions may take, in bytes, at least 1 MiB, default 1 GiB. A
     * session gets a sixteenth of what is left, and 256 MiB, at most. With up to 64 slots of 4 KiB, of which it has
     * four at first, it takes about 0.2 MiB, and 0.9 MiB when it needs them all; over a byte stream, 0.03 MiB and
     * 0.3 MiB, and 0.05 MiB more with TLS. One that finds no memory for more goes on with what it has.
     */
    public SessionLimits sessionMemory(long bytes) {
        sessionMemory = atLeast("sessionMemory", bytes, MIB);
        return this;
    }

    /** Returns how much memory slots and queues of all sessions may take, in bytes. */
    public long sessionMemory() {
        return sessionMemory;
    }

    /**
     * Sets how much memory long requests and answers, which are longer than a slot, may take. A body takes up to twice
     * its length.
     *
     * @param perSession in bytes, at least 2 MiB, default 2.25 GiB: the longest request, the longest answer, and some
     * @param inAll in bytes, at least {@code perSession}, default twice that
     */
    public SessionLimits bodyMemory(long perSession, long inAll) {
        bodyMemoryPerSession = atLeast("bodyMemory perSession", perSession, 2 * MIB);
        bodyMemory = atLeast("bodyMemory inAll", inAll, perSession);
        return this;
    }

    /** Returns how much memory the long bodies of a session may take, in bytes. */
    public long bodyMemoryPerSession() {
        return bodyMemoryPerSession;
    }

    /** Returns how much memory the long bodies of all sessions may take, in bytes. */
    public long bodyMemory() {
        return bodyMemory;
    }

    /**
     * Sets how much memory streams may take at the server: elements that have come and are not consumed, or wait to be
     * sent, and the arguments beside them. Memory is taken as bytes come, not as they are promised; a stream takes up
     * to twice its window. A session gets no more than it leaves for all others together, so that the greedy ones leave
     * some for the next; a stream that finds no memory ends with RESOURCE_EXHAUSTED, and its session goes on.
     *
     * @param perSession in bytes, at least 1 MiB, default 128 MiB
     * @param inAll in bytes, at least {@code perSession}, default 256 MiB
     */
    public SessionLimits streamMemory(long perSession, long inAll) {
        streamMemoryPerSession = atLeast("streamMemory perSession", perSession, MIB);
        streamMemory = atLeast("streamMemory inAll", inAll, perSession);
        return this;
    }

    /** Returns how much memory the streams of a session may take, in bytes. */
    public long streamMemoryPerSession() {
        return streamMemoryPerSession;
    }

    /** Returns how much memory the streams of all sessions may take, in bytes. */
    public long streamMemory() {
        return streamMemory;
    }
}
