package org.jvrpc.runtime.thread;

/** The time that a client or a server lives by: monotonic, in nanoseconds. */
@FunctionalInterface
public interface Clock {

    /** The system's. */
    Clock SYSTEM = System::nanoTime;

    long nanoTime();
}
