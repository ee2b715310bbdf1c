package org.jvrpc.benchmarks.harness;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Tells from windows of calls, one after the other, whether a contender is warm: what a call takes no longer changes,
 * the compilers of its processes are done, and it has made some calls. Not safe for threads.
 */
final class Steadiness {

    /** Windows that have to be alike. */
    static final int WINDOWS = 4;
    /** The largest of their values over the smallest. */
    static final double SPREAD = 1.1;
    /** The part of their time that the compilers of all processes together may work. */
    static final double COMPILING = 0.05;

    private final long leastCalls;
    private final Deque<Double> values = new ArrayDeque<>();
    private final Deque<Double> compiling = new ArrayDeque<>();
    private long compiledMs;
    private long calls;

    /**
     * Nothing has been called yet.
     *
     * @param leastCalls that make it warm, at least
     * @param compiledMs what its compilers have worked before, milliseconds
     */
    Steadiness(long leastCalls, long compiledMs) {
        this.leastCalls = leastCalls;
        this.compiledMs = compiledMs;
    }

    /**
     * Adds a window.
     *
     * @param value a call's p50, or calls a second; above 0
     * @param calls that were made in it
     * @param compiledMs what the compilers have worked since the processes began
     * @param length of the window
     */
    void add(double value, long calls, long compiledMs, Duration length) {
        keep(values, value);
        keep(compiling, (compiledMs - this.compiledMs) * 1e6 / length.toNanos());
        this.compiledMs = compiledMs;
        this.calls += calls;
    }

    private static void keep(Deque<Double> last, double value) {
        last.add(value);
        if (last.size() > WINDOWS) {
            last.remove();
        }
    }

    /** Returns the calls of all windows. */
    long calls() {
        return calls;
    }

    boolean isSteady() {
        if (calls < leastCalls || values.size() < WINDOWS) {
            return false;
        }
        double least = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        double compiled = compiling.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return most <= SPREAD * least && compiled <= COMPILING;
    }
}
