package org.jvrpc.runtime.thread;

/** What a client or a server has of the world besides its device. Handed in where it is made. */
public record Environment(Clock clock, Threads threads) {

    /** What all have that are not told otherwise. */
    public static final Environment SYSTEM = new Environment(Clock.SYSTEM, Threads.DAEMONS);
}
