package org.jvrpc.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.WarmUp;
import org.jvrpc.benchmarks.report.Figures;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Machine;

/** One run of the command: its options, what is printed, noted and failed. */
public final class Session {

    /** The part of a core that others may use without a warning. */
    private static final double NOISY = 0.1;

    private final Options options;
    private final PrintStream out;
    private final Figures figures = new Figures();
    private final List<String> failures = new ArrayList<>();
    private final List<String> unsteady = new ArrayList<>();
    private double others = -1;
    private boolean takesPart;

    Session(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** A piece of work that may fail. */
    @FunctionalInterface
    interface Work {
        void run(Session session) throws Exception;
    }

    /** Runs benchmarks one after the other, prints and writes what came out, and returns the exit code. */
    int run(List<? extends Work> benchmarks) throws IOException {
        out.println(Machine.describe());
        if (options.quick) {
            out.println("--quick is for smoke only: contenders may not be warm. Publish figures of full runs.");
        }
        for (Work benchmark : benchmarks) {
            try {
                benchmark.run(this);
            } catch (Exception | LinkageError e) {
                e.printStackTrace();
                fail(e.toString());
            }
        }
        if (!only().isEmpty() && !takesPart && figures.values().isEmpty() && failures.isEmpty()) {
            fail("--only=" + String.join(",", only()) + " names nobody who takes part");
        }
        reportUnsteady();
        reportOthers();
        if (options.json != null) {
            figures.write(options.json);
        }
        if (!failures.isEmpty()) {
            out.println();
            out.println("FAILED:");
            failures.forEach(failure -> out.println("  " + failure));
        }
        return failures.isEmpty() ? 0 : 1;
    }

    /** Returns true when a benchmark must end within 40 s. */
    public boolean quick() {
        return options.quick;
    }

    /** Returns one of two values: for a quick run or for a full one. */
    public <T> T choose(T quick, T full) {
        return options.quick ? quick : full;
    }

    /** Returns where results are printed. */
    public PrintStream out() {
        return out;
    }

    /** Returns the figures noted so far. */
    public Figures figures() {
        return figures;
    }

    /** Notes and prints that something failed; the exit code will be 1. */
    public synchronized void fail(String what) {
        failures.add(what);
        progress("FAILED " + what);
    }

    /** Tells a waiting person what goes on. */
    public void progress(String what) {
        System.err.println("[bench] " + what);
    }

    /** Returns the contenders that take part, as an option says; empty for all. */
    public List<String> only() {
        return options.only();
    }

    /** Returns the contenders of a benchmark that were not left out by an option. */
    public List<Contender> contenders(String... names) {
        List<Contender> taken = Contenders.byNames(List.of(names)).stream()
                .filter(contender -> options.takes(contender.name()))
                .toList();
        takesPart |= !taken.isEmpty();
        return taken;
    }

    private void reportUnsteady() {
        if (!unsteady.isEmpty()) {
            out.println();
            out.println("NOT STEADY when it was measured:");
            unsteady.forEach(text -> out.println("  " + text));
        }
    }

    private void reportOthers() {
        if (others >= 0) {
            figures.put("machine", "others", "cpu_fraction", others);
            out.println();
            out.println("Other processes used up to " + Format.percent(others) + " of a core during a benchmark"
                    + (others > NOISY ? ": TOO MUCH, repeat on a quiet machine." : "."));
        }
    }

    /** Notes what others used of the machine during a measurement, as a part of one core. */
    public void noteOthers(double fraction) {
        others = Math.max(others, fraction);
        if (fraction > NOISY) {
            progress("WARNING other processes used " + Format.percent(fraction)
                    + " of a core meanwhile: the figures are not to be trusted");
        }
    }

    /** Tells how a warm-up ended that was to end steady. */
    public void noteWarmUp(String contender, String what, WarmUp.Outcome outcome) {
        if (outcome.sought() && !outcome.steady()) {
            String text = contender + ", " + what + ": after " + outcome.took().toSeconds() + " s and "
                    + outcome.calls() + " calls";
            unsteady.add(text);
            progress("WARNING not steady: " + text);
        }
    }

    /** Returns how contenders are warmed up. @param quick the limit of a quick run */
    public WarmUp warmUp(Duration quick) {
        return options.quick ? WarmUp.quick(quick) : WarmUp.full();
    }

    /** Warms a contender up. */
    public void warmUp(Pair pair, String what, Duration quick, WarmUp.Calls calls) throws ContenderException {
        warmUp(pair, what, warmUp(quick), calls);
    }

    /** Warms a contender up in a way of its own. */
    public void warmUp(Pair pair, String what, WarmUp how, WarmUp.Calls calls) throws ContenderException {
        noteWarmUp(pair.contender().name(), what, how.run(pair, calls));
    }

    /** Starts contenders. */
    public Contest contest(Run run, List<Contender> contenders, int clientCount) {
        progress("starting " + contenders.size() + " contenders, " + (1 + clientCount) + " processes each");
        return Contest.start(run, contenders, clientCount, this::fail);
    }
}
