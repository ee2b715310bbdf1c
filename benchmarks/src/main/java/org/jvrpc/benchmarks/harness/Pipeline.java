package org.jvrpc.benchmarks.harness;

import java.io.IOException;

/** Calls of which several are under way at once. One thread. */
public interface Pipeline extends AutoCloseable {

    /**
     * Keeps {@code window} calls under way until {@code endNs} of {@link System#nanoTime()}, then waits for the rest.
     *
     * @return the number of calls answered
     */
    long run(int window, long endNs) throws Exception;

    @Override
    default void close() throws IOException {
    }
}
