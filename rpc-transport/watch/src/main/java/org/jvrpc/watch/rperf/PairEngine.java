package org.jvrpc.watch.rperf;

import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.watch.PairPort;

/**
 * Posts pairs as a pattern says and times them. First it warms up, then it measures, then it waits for what is under
 * way. What was begun while it measured counts. Which of the two is posted first alternates, as the second one waits
 * for the first: half the difference of the medians of both orders is that wait, and is taken out of each sample. What
 * loopback's own bits take is added to each where the port knows it. One thread, which calls {@link #advance} again and
 * again.
 */
public final class PairEngine implements PairPort.Completions {

    /** It is done. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final long DRAIN_NS = 2_000_000_000L;
    private static final long NONE = Long.MIN_VALUE;

    private final PairPort port;
    private final LoadPattern pattern;
    private final boolean loops;
    private final long warmUpNs;
    private final long durationNs;
    private final long[] postedNs;
    private final long[] wireNs;
    private final long[] loopNs;
    private final boolean[] loopbackWasFirst;
    private final int[] free;
    private int frees;

    private Pacer pacer;
    private long startNs;
    private long endNs;
    private long drainedNs;
    private boolean loopbackFirst;
    private boolean done;
    private String trouble;
    private long begun;
    private long pairs;
    private long missed;

    private final Samples loopbackFirstSamples = new Samples();
    private final Samples wireFirstSamples = new Samples();
    private final Samples wire = new Samples();
    private final Samples loopback = new Samples();

    /**
     * Makes one that begins with its first {@link #advance}.
     *
     * @param port stays the caller's
     * @param warmUpNs before what counts, at least 0
     * @param durationNs of what counts, above 0
     */
    public PairEngine(PairPort port, LoadPattern pattern, long warmUpNs, long durationNs) {
        if (pattern.outstanding() > port.slots()) {
            throw new IllegalArgumentException("the port has fewer places than may be under way, slots=" + port.slots()
                    + " outstanding=" + pattern.outstanding());
        }
        if (warmUpNs < 0 || durationNs <= 0) {
            throw new IllegalArgumentException("warmUpNs=" + warmUpNs + " durationNs=" + durationNs);
        }
        this.port = port;
        this.pattern = pattern;
        this.loops = port.hasLoopback();
        this.warmUpNs = warmUpNs;
        this.durationNs = durationNs;
        int slots = pattern.outstanding();
        postedNs = new long[slots];
        wireNs = new long[slots];
        loopNs = new long[slots];
        loopbackWasFirst = new boolean[slots];
        free = new int[slots];
        while (frees < slots) {
            free[frees] = frees++;
        }
    }

    /**
     * Polls, and posts what is due. Never blocks, allocates nothing.
     *
     * @return when to call again though nothing completes, or {@link #NEVER}; while {@link #isWaiting} something may
     *     complete at any time
     */
    public long advance() {
        if (done) {
            return NEVER;
        }
        long nowNs = port.nowNs();
        if (pacer == null) {
            pacer = new Pacer(pattern, nowNs);
            startNs = nowNs + warmUpNs;
            endNs = startNs + durationNs;
            drainedNs = endNs + DRAIN_NS;
        }
        try {
            port.poll(this);
            return done ? NEVER : nowNs - endNs < 0 ? post(nowNs) : drain(nowNs);
        } catch (VerbsException | IllegalStateException e) { // the QP has gone to ERR under it
            fail(e.getMessage());
            return NEVER;
        }
    }

    private long post(long nowNs) {
        missed += count(nowNs, pacer.skip(nowNs));
        long atNs = nowNs;
        for (long dueNs = pacer.dueNs(atNs); dueNs - atNs <= 0; dueNs = pacer.dueNs(atNs)) {
            if (frees == 0) {
                if (pattern.periodNs() == 0) {
                    return endNs;
                }
                missed += count(atNs, 1);
                pacer.next();
                continue;
            }
            int slot = free[frees - 1];
            postedNs[slot] = port.nowNs();
            wireNs[slot] = NONE;
            loopNs[slot] = loops ? NONE : postedNs[slot];
            loopbackWasFirst[slot] = loopbackFirst;
            if (!port.post(slot, pattern.bytes(), loopbackFirst)) {
                return atNs; // completions make room
            }
            frees--;
            begun += count(postedNs[slot], 1);
            loopbackFirst = !loopbackFirst;
            pacer.next();
            atNs = port.nowNs();
            if (pattern.periodNs() == 0 && pattern.outstanding() > 1) {
                return atNs; // completions are seen before more is posted
            }
        }
        return Math.min(pacer.dueNs(atNs), endNs);
    }

    /** Returns true when nothing is under way any more: only then may another engine have the port. */
    public boolean isIdle() {
        return frees == free.length;
    }

    private long drain(long nowNs) {
        if (frees == free.length || nowNs - drainedNs >= 0) {
            done = true;
            return NEVER;
        }
        return drainedNs;
    }

    /** Only what is begun while it measures counts. */
    private long count(long atNs, long messages) {
        return atNs - startNs >= 0 ? messages : 0;
    }

    @Override
    public void wire(int slot, WcStatus status, long atNs) {
        wireNs[slot] = atNs;
        ended(slot, "over the wire", status);
    }

    @Override
    public void loopback(int slot, WcStatus status, long atNs) {
        loopNs[slot] = atNs;
        ended(slot, "by loopback", status);
    }

    private void ended(int slot, String how, WcStatus status) {
        if (status != WcStatus.SUCCESS) {
            fail("a SEND " + how + " ended with " + status);
            return;
        }
        if (wireNs[slot] == NONE || loopNs[slot] == NONE) {
            return;
        }
        free[frees++] = slot;
        if (count(postedNs[slot], 1) == 0) {
            return;
        }
        pairs++;
        (loopbackWasFirst[slot] ? loopbackFirstSamples : wireFirstSamples).add(wireNs[slot] - loopNs[slot]);
        wire.add(wireNs[slot] - postedNs[slot]);
        if (loops) {
            loopback.add(loopNs[slot] - postedNs[slot]);
        }
    }

    private void fail(String why) {
        if (trouble == null) {
            trouble = why;
            done = true;
            endNs = Math.min(endNs, port.nowNs());
        }
    }

    /** Returns whether something is under way. */
    public boolean isWaiting() {
        return !done && frees < free.length;
    }

    /** Returns whether everything has ended. */
    public boolean isDone() {
        return done;
    }

    /** Returns how many pairs completed so far that count. */
    public long pairs() {
        return pairs;
    }

    /** Begins to wait for what is under way: nothing more is posted. What was begun until now counts. */
    public void stop() {
        long nowNs = port.nowNs();
        if (pacer == null) {
            done = true;
        } else if (nowNs - endNs < 0) {
            endNs = nowNs;
            drainedNs = nowNs + DRAIN_NS;
        }
    }

    /** Returns what came of it so far. @param name whose it is */
    public RperfResult result(String name) {
        // all of the time in which pairs were begun that count: until the last one ended, few would look like more
        double seconds = pairs == 0 ? 0 : Math.max(1, Math.min(endNs, port.nowNs()) - startNs) * 1e-9;
        long first = loopbackFirstSamples.medianNs();
        long second = wireFirstSamples.medianNs();
        boolean alternated = loops && loopbackFirstSamples.count() > 0 && wireFirstSamples.count() > 0;
        long waitNs = alternated ? Math.round((first - second) / 2.0) : 0;
        double bitsNs = loops ? port.loopbackBitsNs(pattern.bytes()) : Double.NaN;
        long addedNs = Math.round(bitsNs); // NaN is 0
        Samples.Sorted sorted = new Samples.Sorted();
        loopbackFirstSamples.addTo(sorted, addedNs - waitNs);
        wireFirstSamples.addTo(sorted, addedNs + waitNs);
        Distribution rtt = sorted.distribution();
        return new RperfResult(name, pattern, port.stamps(), loops ? null : port.noLoopback(), seconds, pairs,
                sorted.zeroOrLess(), sorted.meanOfAllNs(rtt), missed, begun - pairs, trouble, rtt.figures(),
                wire.sorted().distribution().figures(), loopback.sorted().distribution().figures(), first, second,
                waitNs, bitsNs, rtt);
    }
}
