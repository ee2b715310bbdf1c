package org.jvrpc.watch.fabric.rperf;

import org.jvrpc.fabric.event.EventQueue;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.PairEngine;
import org.jvrpc.watch.rperf.RperfResult;

/** An engine of rperf that runs in the fabric's time: it is called when something completes, and when it is due. */
public final class SimulatedRun implements EventTarget {

    private final EventQueue events;
    private final PairEngine engine;
    private long nextNs = Long.MAX_VALUE;

    private SimulatedRun(SimulatedPairs pairs, PairEngine engine) {
        this.events = pairs.network().events();
        this.engine = engine;
    }

    /**
     * Begins now. Others may be begun beside it; {@code runUntil} of the fabric's events has them all go on.
     *
     * @param warmUpNs what is begun before counts for nothing
     */
    public static SimulatedRun begin(SimulatedPairs pairs, LoadPattern pattern, long warmUpNs, long durationNs) {
        SimulatedRun run = new SimulatedRun(pairs, new PairEngine(pairs, pattern, warmUpNs, durationNs));
        pairs.whenDone(() -> run.callAt(run.events.nowNs()));
        run.callAt(run.events.nowNs());
        return run;
    }

    private void callAt(long atNs) {
        if (atNs < nextNs) {
            nextNs = atNs;
            events.schedule(atNs, this, 0, null, atNs);
        }
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        if (argument != nextNs) {
            return; // something completed before that
        }
        nextNs = Long.MAX_VALUE;
        long dueNs = engine.advance();
        if (dueNs != PairEngine.NEVER) {
            callAt(Math.max(dueNs, events.nowNs() + 1));
        }
    }

    /** Runs the fabric until this is done. @return whether it is, within so many simulated nanoseconds */
    public boolean await(long longestNs) {
        long endNs = events.nowNs() + longestNs;
        while (!engine.isDone() && events.nextNs() <= endNs) {
            events.runUntil(events.nextNs());
        }
        return engine.isDone();
    }

    /** Posts no more. */
    public void stop() {
        engine.stop();
    }

    /** Returns what came of it so far. */
    public RperfResult result(String name) {
        return engine.result(name);
    }
}
