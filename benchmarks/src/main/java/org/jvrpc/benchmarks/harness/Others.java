package org.jvrpc.benchmarks.harness;

import java.io.IOException;

/**
 * What processes other than this one, and those that it started and that have ended, use of the machine: the noise in a
 * measurement that JMH's forks make. {@link Run#othersCpuFraction()} is the same for a run's processes.
 */
public final class Others {

    private final long begunNs;
    private final double before;

    private Others(long begunNs, double before) {
        this.begunNs = begunNs;
        this.before = before;
    }

    /** Begins to watch. */
    public static Others begin() throws IOException {
        return new Others(System.nanoTime(), CpuTime.ofMachine() - CpuTime.ofThisAndEnded());
    }

    /** Returns the part of one core that others used since; all that was started must have ended. */
    public double cpuFraction() throws IOException {
        double others = CpuTime.ofMachine() - CpuTime.ofThisAndEnded() - before;
        return Math.max(0, others * 1e9 / (System.nanoTime() - begunNs));
    }
}
