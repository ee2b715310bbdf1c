package org.jvrpc.benchmarks.harness;

import java.time.Duration;

/**
 * Calls that are not counted, window by window, until they are steady: the p50 (or rate) of four windows within a
 * tenth, compilers done, and the least number of calls of the contender made. The windows are calls of the timing
 * loop of their own, so that it is compiled as a whole.
 *
 * @param window length of each
 * @param limit after which it ends, steady or not
 * @param mostOfLeast the most that may be asked for as the least number of calls
 */
public record WarmUp(Duration window, Duration limit, long mostOfLeast) {

    private static final Duration WINDOW = Duration.ofMillis(250);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** One window of calls. */
    @FunctionalInterface
    public interface Calls {
        /** Makes calls for so long. */
        Window make(Duration length) throws ContenderException;
    }

    /**
     * What a window told.
     *
     * @param value p50 in nanoseconds, or calls a second
     * @param calls that it made
     */
    public record Window(double value, long calls) {
    }

    /**
     * How a warm-up ended.
     *
     * @param sought false for a first look, which does not wait until it is steady
     * @param steady false when the limit ended it
     * @param took time
     * @param calls that were made
     */
    public record Outcome(boolean sought, boolean steady, Duration took, long calls) {
    }

    /** A warm-up as figures need it. */
    public static WarmUp full() {
        return new WarmUp(WINDOW, LIMIT, Long.MAX_VALUE);
    }

    /** A warm-up as figures need it, for contenders that are steady sooner. @param limit after which it ends */
    public static WarmUp within(Duration limit) {
        return new WarmUp(WINDOW, limit, Long.MAX_VALUE);
    }

    /** A warm-up that ends in time, for a first look. */
    public static WarmUp quick(Duration limit) {
        return new WarmUp(limit.dividedBy(Steadiness.WINDOWS), limit, 0);
    }

    /** Returns the part of one of several workloads: of a quick one's limit. */
    public WarmUp forOneOf(int workloads) {
        return mostOfLeast > 0 ? this : quick(limit.dividedBy(workloads));
    }

    /** Returns this, for what takes so long that fewer make it warm. */
    public WarmUp withLeastOf(long calls) {
        return new WarmUp(window, limit, Math.min(mostOfLeast, calls));
    }

    /** Warms a contender up. */
    public Outcome run(Pair pair, Calls calls) throws ContenderException {
        long begun = System.nanoTime();
        Steadiness steadiness = new Steadiness(
                Math.min(pair.contender().leastCalls(), mostOfLeast), pair.compiledMs());
        long passed;
        do {
            Window made = calls.make(window);
            steadiness.add(made.value(), made.calls(), pair.compiledMs(), window);
            passed = System.nanoTime() - begun;
        } while (!steadiness.isSteady() && passed < limit.toNanos());
        return new Outcome(mostOfLeast > 0, steadiness.isSteady(), Duration.ofNanos(passed), steadiness.calls());
    }
}
