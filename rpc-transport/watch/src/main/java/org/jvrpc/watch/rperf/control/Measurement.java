package org.jvrpc.watch.rperf.control;

import org.jvrpc.watch.rperf.RperfResult;

/** A measurement that an agent was told to prepare. Any thread. */
public interface Measurement extends AutoCloseable {

    /** Makes measurements. */
    interface Maker {

        /** Connects. @throws RuntimeException when that fails: the client is told its message */
        Measurement prepare(Order order);
    }

    /** Begins, once. */
    void start();

    /** Posts nothing more. */
    void stop();

    /** Returns how many pairs completed so far. */
    long pairs();

    /** Returns the result once it is done; null before. */
    RperfResult result();

    /** Ends it and waits for that. Idempotent. */
    @Override
    void close();
}
