package org.jvrpc.runtime.contract.ends;

import java.util.ArrayList;
import java.util.List;

/** The calls of one client, whose history is told where something goes wrong. One thread. */
public final class Race {

    private final String settings;
    private final long startNs = System.nanoTime();
    private final List<RacedCall> begun = new ArrayList<>();
    private final List<RacedCall> all = new ArrayList<>();
    private RacedCall current;

    /** @param settings what it takes to run it again */
    public Race(String settings) {
        this.settings = settings;
    }

    /** What is done. */
    @FunctionalInterface
    public interface Work {
        void run();
    }

    /** A call begins, which is {@link #current} until the next one. @param expected its answer */
    public RacedCall begin(String what, Object expected) {
        current = new RacedCall("call " + all.size() + " " + what, expected, startNs);
        all.add(current);
        return current;
    }

    /** Returns the call that began last. */
    public RacedCall current() {
        return current;
    }

    /** The call that began last goes on. */
    public void keep() {
        begun.add(current);
    }

    /** Returns those that were begun, in order. */
    public List<RacedCall> calls() {
        return begun;
    }

    /** Returns all, also those that were refused. */
    public List<RacedCall> all() {
        return all;
    }

    public long tookNs() {
        return System.nanoTime() - startNs;
    }

    /** Does something; if it fails, adds what happened until then. */
    public void explain(Work work) {
        try {
            work.run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + history(), e);
        }
    }

    private String history() {
        StringBuilder text = new StringBuilder(settings).append(" failed after ms=").append(tookNs() / 1_000_000);
        all.forEach(call -> text.append('\n').append(call));
        return text.toString();
    }
}
