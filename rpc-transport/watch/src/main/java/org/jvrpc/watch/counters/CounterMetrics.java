package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Metrics;
import org.jvrpc.watch.MetricsSource;
import org.jvrpc.watch.Rate;
import org.jvrpc.watch.Reading;

/**
 * The last readings as metrics. A counter that cannot be read has no sample: it is named by {@code
 * jvrpc_counter_unreadable}, with why. {@link #update} by one thread, {@link #write} by any.
 */
public final class CounterMetrics implements MetricsSource {

    /** What all names of counters begin with. */
    static final String PREFIX = "jvrpc_";
    static final String SUFFIX = "_total";

    private record Snapshot(List<Counted> counted, List<PauseRate> pauses, List<Alert> alerts, long readings) { }

    /** Counters of a table alone. The lock keeps its one thread. */
    private static final class Live implements MetricsSource {
        private final CounterTable table;
        private final CounterMetrics metrics = new CounterMetrics();

        Live(CounterTable table) {
            this.table = table;
        }

        @Override
        public synchronized void write(Metrics to) {
            metrics.update(table.read(), List.of(), List.of());
            metrics.write(to);
        }
    }

    private volatile Snapshot last = new Snapshot(List.of(), List.of(), List.of(), 0);

    /**
     * Returns counters that are read whenever somebody asks: a process serves those of its own devices so. The table is
     * read by nobody else.
     */
    public static MetricsSource live(CounterTable table) {
        return new Live(table);
    }

    /**
     * Takes readings, and what became of them.
     *
     * @param raised what is raised now
     */
    public void update(List<Counted> counted, List<Rate> rates, List<Alert> raised) {
        List<Counted> byName = new ArrayList<>(counted);
        byName.sort(Comparator.comparing(one -> one.reading().name())); // samples of a metric stand together
        last = new Snapshot(byName, PauseRate.of(rates), List.copyOf(raised), last.readings + 1);
    }

    @Override
    public void write(Metrics to) {
        Snapshot now = last;
        to.counter("jvrpc_counter_readings_total", "How often all counters were read.", now.readings);
        now.counted.stream().filter(one -> one.reading().isReadable()).forEach(one -> write(to, one));
        for (Counted one : now.counted) {
            if (!one.reading().isReadable()) {
                to.gauge("jvrpc_counter_unreadable", "Counters that cannot be read.", 1, "device",
                        one.reading().device(), "port", Integer.toString(one.reading().port()), "counter",
                        one.reading().name(), "why", one.reading().refusal());
            }
        }
        for (PauseRate pause : now.pauses) {
            if (!Double.isNaN(pause.share())) {
                to.gauge("jvrpc_pause_share", "Share of the time that a priority is paused, 0 to 1.", pause.share(),
                        labels(pause));
            }
        }
        for (PauseRate pause : now.pauses) {
            if (!Double.isNaN(pause.meanUs())) {
                to.gauge("jvrpc_pause_mean_microseconds", "How long a pause is.", pause.meanUs(), labels(pause));
            }
        }
        for (Alert alert : now.alerts) {
            to.gauge("jvrpc_counter_alert", "Rules whose limit is passed, with the value.", alert.value(), "rule",
                    alert.rule(), "subject", alert.subject());
        }
    }

    private static void write(Metrics to, Counted one) {
        Reading reading = one.reading();
        to.counter(PREFIX + plain(reading.name()) + SUFFIX, CounterNames.meaning(reading.name()),
                Rates.unsigned(reading.value()), "device", reading.device(), "port",
                Integer.toString(reading.port()), "origin", one.origin());
    }

    private static String[] labels(PauseRate pause) {
        return new String[] {"device", pause.device(), "port", Integer.toString(pause.port()), "priority",
            Integer.toString(pause.priority()), "direction", pause.received() ? "rx" : "tx"};
    }

    /** Returns a name of letters, digits and underscores. */
    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9_]", "_");
    }
}
