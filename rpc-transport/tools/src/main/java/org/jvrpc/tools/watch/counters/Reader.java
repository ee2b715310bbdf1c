package org.jvrpc.tools.watch.counters;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.Rate;
import org.jvrpc.watch.counters.Counted;
import org.jvrpc.watch.counters.CounterMetrics;
import org.jvrpc.watch.counters.CounterTable;
import org.jvrpc.watch.counters.Rates;
import org.jvrpc.watch.counters.Rule;
import org.jvrpc.watch.counters.RuleWatch;

/** Reads at its times, holds the rules against what it reads, and has it printed. One thread. */
final class Reader {

    static final int NOTHING_FOUND = 0;
    static final int FOUND = 1;
    static final int NOT_MEASURED = 3;

    /** How time passes. */
    interface Pause {

        /** Sleeps. */
        Pause SLEEP = ns -> TimeUnit.NANOSECONDS.sleep(ns);

        void rest(long ns) throws InterruptedException;
    }

    /**
     * What is wanted.
     *
     * @param rules all, in their order
     * @param defaults those of them that no device has all counters for: it is enough when one is judged
     * @param intervalNs between two readings
     * @param readings how many
     */
    record Plan(List<Rule> rules, List<Rule> defaults, long intervalNs, long readings) { }

    private final CounterTable table;
    private final Plan plan;
    private final CounterMetrics metrics;
    private final Clock clock;
    private final Pause pause;
    private final Rates rates = new Rates();
    private final RuleWatch watch;
    private boolean read;
    private boolean found;

    Reader(CounterTable table, Plan plan, CounterMetrics metrics, Clock clock, Pause pause) {
        this.table = table;
        this.plan = plan;
        this.metrics = metrics;
        this.clock = clock;
        this.pause = pause;
        watch = new RuleWatch(plan.rules());
    }

    /** Runs. Returns the exit code; interrupted, it ends as behind its last reading. */
    int run(Printer printer, PrintWriter err) {
        long nextNs = clock.nowNs();
        for (long i = 1; i <= plan.readings(); i++) {
            read(printer, i);
            nextNs += plan.intervalNs();
            if (i < plan.readings() && !rest(nextNs)) {
                break;
            }
            if (clock.nowNs() - nextNs > plan.intervalNs()) {
                nextNs = clock.nowNs(); // a reading took longer than that: those it missed are left out
            }
        }
        return code(err);
    }

    private void read(Printer printer, long number) {
        List<Counted> counted = table.read();
        List<Rate> grown = rates.update(counted);
        List<Alert> alerts = watch.update(number, counted, grown);
        metrics.update(counted, grown, watch.raised());
        read |= counted.stream().anyMatch(one -> one.reading().isReadable());
        found |= alerts.stream().anyMatch(Alert::raised);
        printer.print(new Printer.Seen(number, plan.readings(), clock.wallMs(), counted, grown, alerts, watch));
    }

    private boolean rest(long untilNs) {
        long ns = untilNs - clock.nowNs();
        try {
            if (ns > 0) {
                pause.rest(ns);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private int code(PrintWriter err) {
        if (found) {
            return FOUND;
        }
        if (!read) {
            err.println("jvrpc counters: none of the counters can be read; each is named with the reason");
            err.flush();
            return NOT_MEASURED;
        }
        String why = notJudged();
        if (why == null) {
            return NOTHING_FOUND;
        }
        err.println("jvrpc counters: " + why);
        err.flush();
        return NOT_MEASURED;
    }

    /** Returns what is to be said of rules that nobody can say are kept; null when there are none. */
    private String notJudged() {
        if (plan.rules().isEmpty()) {
            return null;
        }
        if (watch.blind().size() == plan.rules().size()) {
            return "no rule could be judged";
        }
        List<Rule> never = watch.neverJudged();
        boolean defaults = never.containsAll(plan.defaults());
        List<String> missing = never.stream().filter(rule -> defaults || !plan.defaults().contains(rule))
                .map(Rule::text).toList();
        return missing.isEmpty() ? null : missing.size() + " of " + plan.rules().size()
                + " rules could not be judged: " + String.join(", ", missing);
    }
}
