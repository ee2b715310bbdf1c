package org.jvrpc.watch.rperf;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jvrpc.watch.PairPort;

/** Runs an engine on the thread that calls, which polls without rest while something is under way. */
public final class PairLoop {

    /** Sleeps are that much shorter: a thread wakes late. */
    private static final long EARLY_NS = 200_000;
    private static final long LONGEST_SLEEP_NS = 10_000_000;
    /** Rounds after which it is asked whether to go on. */
    private static final int ROUNDS = 1 << 12;

    private PairLoop() {
    }

    /**
     * Runs until the engine is done.
     *
     * @param goesOn asked now and then, by this thread; false: no more is posted. It may print how far things are
     */
    public static void run(PairEngine engine, PairPort port, BooleanSupplier goesOn) {
        for (int round = 1;; round++) {
            long dueNs = engine.advance();
            if (dueNs == PairEngine.NEVER) {
                return;
            }
            long sleepNs = engine.isWaiting() ? 0 : dueNs - port.nowNs() - EARLY_NS;
            if (sleepNs > 0) {
                LockSupport.parkNanos(Math.min(sleepNs, LONGEST_SLEEP_NS));
            } else {
                Thread.onSpinWait();
            }
            if ((sleepNs > 0 || (round & ROUNDS - 1) == 0) && !goesOn.getAsBoolean()) {
                engine.stop();
            }
        }
    }
}
