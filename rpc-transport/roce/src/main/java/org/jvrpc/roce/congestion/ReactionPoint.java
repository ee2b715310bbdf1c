package org.jvrpc.roce.congestion;

/**
 * DCQCN's sender of one flow: its rate, which CNPs lower and a timer and a byte counter raise. A flow begins at line
 * rate and knows no timers until its first CNP; when it is back at line rate, they stop. So a flow that was idle for
 * hours catches up in at most as many steps as its recovery has.
 *
 * <p>By {@link DcqcnParameters.Rules#EACH_CNP}, a CNP does this: alpha = (1 - g) alpha + g, and a decrease. After each
 * alpha interval since: alpha = (1 - g) alpha. By {@link DcqcnParameters.Rules#PERIODIC}, the first CNP sets alpha and
 * begins two grids of time: at each point of the first, alpha = (1 - g) alpha + (a CNP came since the last ? g : 0); at
 * each point of the second, which lies 1 ns later, a decrease if a CNP came since the last.
 *
 * <p>A decrease: the target becomes the rate (as {@link DcqcnParameters.Clamp} says), rate = max(least, rate (1 - alpha
 * / 2)), both stages = 0, and the timer and byte counter begin again. An increase raises the stage of its counter; then
 * the target grows, not above the line, and rate = (rate + target) / 2. It grows by nothing while both stages are below
 * F, by the additive increase while one is, else by the hyper increase times (lower stage - F + 1). Without a byte
 * counter, the n-th increase is fast for n up to F, additive for F + 1, hyper for all later, each time by the plain
 * hyper increase.
 *
 * <p>Differences to ns3-rdma: rate and target never exceed the line (there, the target does); the byte counter begins
 * again at every CNP; a byte event in its active stage may be hyper; no target / 8 for targets above ten times the
 * rate, which its config.txt, that clamps always, does not reach. SIGCOMM 2015 lowers the rate by alpha from before the
 * CNP; here it is the one from after it, as in ns3-rdma.
 */
public final class ReactionPoint {

    /** Alpha below this is 0: a decrease would take less than 2^-32 of the rate. */
    private static final double ALPHA_LEAST = 0x1p-31;

    private final DcqcnParameters parameters;
    private final boolean periodic;
    private final long lineBitsPerSecond;

    private long rate;
    private long target;
    private double alpha;
    private int timeStage;
    private int byteStage;
    private long bytesLeft;

    /** Whether the alpha timer runs: not before the first CNP, nor while alpha is 0. */
    private boolean decaying;
    private boolean cnpSinceAlpha;
    private long alphaAtNs;
    /** Whether increases are due: from a decrease until the rate is the line's. */
    private boolean recovering;
    private long increaseAtNs;
    /** Whether a CNP came whose decrease is still due. */
    private boolean decreasing;
    private long decreaseAtNs;
    private boolean begun;

    /**
     * Begins a flow at line rate.
     *
     * @param lineBitsPerSecond the least rate of the parameters to 10 Tb/s
     */
    public ReactionPoint(DcqcnParameters parameters, long lineBitsPerSecond) {
        this.parameters = parameters;
        this.lineBitsPerSecond = Rates.check(
                "lineBitsPerSecond", lineBitsPerSecond, parameters.leastBitsPerSecond(), Rates.MOST);
        periodic = parameters.rules() == DcqcnParameters.Rules.PERIODIC;
        rate = lineBitsPerSecond;
        target = lineBitsPerSecond;
        alpha = parameters.initialAlpha();
    }

    /** Takes note of a CNP. Timers that are due go first. */
    public void cnp(long nowNs) {
        advance(nowNs);
        if (!periodic) {
            alpha = (1 - parameters.gain()) * alpha + parameters.gain();
            alphaAtNs = nowNs + parameters.alphaIntervalNs();
            decaying = true;
            decrease(nowNs);
        } else if (begun) {
            awaitGrid(nowNs);
        } else {
            alphaAtNs = nowNs + parameters.alphaIntervalNs();
            decreaseAtNs = nowNs + parameters.decreaseIntervalNs() + 1;
            decaying = true;
            decreasing = true;
        }
        begun = true;
    }

    private void awaitGrid(long nowNs) {
        cnpSinceAlpha = true;
        if (!decaying) {
            decaying = true;
            alphaAtNs = firstAfter(nowNs, alphaAtNs, parameters.alphaIntervalNs());
        }
        if (!decreasing) {
            decreasing = true;
            decreaseAtNs = firstAfter(nowNs, decreaseAtNs, parameters.decreaseIntervalNs());
        }
    }

    /** Returns the first point after now of a grid of which {@code pointNs} is one. */
    private static long firstAfter(long nowNs, long pointNs, long intervalNs) {
        long behindNs = nowNs - pointNs;
        return behindNs < 0 ? pointNs : pointNs + (behindNs / intervalNs + 1) * intervalNs;
    }

    /**
     * Takes note of one packet sent. Timers that are due go first. The byte counter ends when more than its bytes were
     * sent, and then begins anew, without what was too much.
     *
     * @param bytes from 0 on
     */
    public void sent(int bytes, long nowNs) {
        Rates.check("bytes", bytes, 0, Integer.MAX_VALUE);
        advance(nowNs);
        if (!recovering || parameters.byteCounter() == 0) {
            return;
        }
        bytesLeft -= bytes;
        if (bytesLeft < 0) {
            bytesLeft = parameters.byteCounter() >> hyperShift();
            byteStage++;
            increase();
        }
    }

    /** Runs all timers that are due. */
    public void advance(long nowNs) {
        while (hasDeadline() && nowNs - deadlineNs() >= 0) {
            runRateTimer();
        }
        advanceAlpha(nowNs);
    }

    private void runRateTimer() {
        if (isIncreaseNext()) {
            increaseAtNs += parameters.increaseIntervalNs() >> hyperShift();
            timeStage++;
            increase();
        } else {
            advanceAlpha(decreaseAtNs);
            decreasing = false;
            decrease(decreaseAtNs);
        }
    }

    /** Of two timers at the same time the increase goes first, as in HPCC. */
    private boolean isIncreaseNext() {
        return recovering && !(decreasing && increaseAtNs - decreaseAtNs > 0);
    }

    private void advanceAlpha(long nowNs) {
        while (decaying && nowNs - alphaAtNs >= 0) {
            alphaAtNs += parameters.alphaIntervalNs();
            alpha = (1 - parameters.gain()) * alpha + (cnpSinceAlpha ? parameters.gain() : 0);
            cnpSinceAlpha = false;
            if (alpha < ALPHA_LEAST) {
                alpha = 0;
                decaying = false;
            }
        }
    }

    private void decrease(long atNs) {
        if (parameters.clamp() == DcqcnParameters.Clamp.ALWAYS || timeStage != 0 || byteStage != 0) {
            target = rate;
        }
        rate = Math.max(parameters.leastBitsPerSecond(), (long) (rate * (1 - alpha / 2)));
        timeStage = 0;
        byteStage = 0;
        bytesLeft = parameters.byteCounter();
        increaseAtNs = atNs + parameters.increaseIntervalNs();
        recovering = true;
    }

    private void increase() {
        target = Math.min(lineBitsPerSecond, target + step());
        rate += (target - rate + 1) / 2; // rounded up, so that it arrives
        recovering = rate < lineBitsPerSecond;
    }

    private long step() {
        int stages = parameters.fastRecoveryStages();
        if (parameters.byteCounter() == 0) {
            return timeStage <= stages ? 0 : timeStage == stages + 1 ? parameters.additiveIncreaseBitsPerSecond()
                    : hyperStep();
        }
        if (Math.max(timeStage, byteStage) < stages) {
            return 0;
        }
        return isHyper() ? hyperStep() * (Math.min(timeStage, byteStage) - stages + 1)
                : parameters.additiveIncreaseBitsPerSecond();
    }

    private long hyperStep() {
        long hyper = parameters.hyperIncreaseBitsPerSecond();
        return hyper == 0 ? parameters.additiveIncreaseBitsPerSecond() : hyper;
    }

    private boolean isHyper() {
        return Math.min(timeStage, byteStage) >= parameters.fastRecoveryStages()
                && parameters.hyperIncreaseBitsPerSecond() > 0;
    }

    /** Returns 1 when ns3-rdma halves the time or bytes to the next increase: in the hyper stage. */
    private int hyperShift() {
        return !periodic && isHyper() ? 1 : 0;
    }

    /** Returns whether {@link #deadlineNs} has a meaning: not while the flow is at line rate. */
    public boolean hasDeadline() {
        return recovering || decreasing;
    }

    /** Returns when the rate changes next if nothing is sent and no CNP comes; only while there is a deadline. */
    public long deadlineNs() {
        return isIncreaseNext() ? increaseAtNs : decreaseAtNs;
    }

    /** Returns the rate as of the last call: the parameters' least to the line's. */
    public long bitsPerSecond() {
        return rate;
    }

    /** Returns the rate that recovery aims at, from the current rate to the line's. */
    public long targetBitsPerSecond() {
        return target;
    }

    /** Returns how congested the flow's path was of late as of the last call, 0 to 1: a decrease takes half of it. */
    public double alpha() {
        return alpha;
    }

    /** Returns the timer's increases since the last decrease. */
    public int timeStage() {
        return timeStage;
    }

    /** Returns the byte counter's increases since the last decrease. */
    public int byteStage() {
        return byteStage;
    }

    /** Returns the state, behind the name of the parameters. */
    @Override
    public String toString() {
        return parameters.name() + " bitsPerSecond=" + rate + " targetBitsPerSecond=" + target + " alpha=" + alpha
                + " timeStage=" + timeStage + " byteStage=" + byteStage;
    }
}
