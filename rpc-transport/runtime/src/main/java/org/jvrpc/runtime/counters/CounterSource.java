package org.jvrpc.runtime.counters;

/** Where counters are read: those of this process, {@link Counters#own()}, or a file of one. Any thread. */
public interface CounterSource {

    /**
     * Reads the counters as they are now. They go on meanwhile: each is one that was true at some moment, and two of
     * them need not have been true at the same.
     *
     * @throws CounterFileException when they cannot be read any more
     */
    ProcessCounters read();
}
