package org.jvrpc.benchmarks.latency;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Quartiles;
import org.jvrpc.benchmarks.report.Table;

/**
 * What variants cost beside each other over several runs, each with JVMs of its own: what a compiler inlines is settled
 * once a JVM, partly by chance, and differs by more than a cheap variant costs.
 */
public final class Forks {

    private final Map<String, Row> rows = new LinkedHashMap<>();

    private static final class Row {
        final String base;
        final List<Double> p50 = new ArrayList<>();
        final List<Double> batch = new ArrayList<>();
        final List<Double> batchNs = new ArrayList<>();

        Row(String base) {
            this.base = base;
        }
    }

    /** Adds one run's figures of a variant and of what it is beside; nothing where one of them did not finish. */
    public void add(String variant, String base, Map<String, Measured> measured, Batches batches) {
        if (measured.containsKey(variant) && measured.containsKey(base)) {
            add(variant, base, measured.get(variant).over(measured.get(base)).median(), batches.over(variant, base),
                    batches.more(variant, base));
        }
    }

    /** Adds one run's ratios of p50 and of batches, and the nanoseconds that a call in a batch takes more. */
    public void add(String variant, String base, double p50, double batch, double moreNs) {
        Row row = rows.computeIfAbsent(variant, name -> new Row(base));
        row.p50.add(p50);
        row.batch.add(batch);
        row.batchNs.add(moreNs);
    }

    /** Notes and prints medians and quartiles over the runs. */
    public void report(Session session, String bench) {
        if (rows.isEmpty()) {
            return;
        }
        Table table = new Table("beside each other", "runs", "p50", "quartiles", "in batches", "quartiles", "more");
        rows.forEach((variant, row) -> {
            Quartiles p50 = quartiles(row.p50);
            Quartiles batch = quartiles(row.batch);
            Quartiles more = quartiles(row.batchNs);
            String suffix = row.base.replace("jvrpc-", "").replace('-', '_') + "_ratio";
            session.figures().put(bench, variant, "p50_" + suffix, p50.median());
            session.figures().put(bench, variant, "batch_" + suffix, batch.median());
            session.figures().put(bench, variant, "batch_more_ns", more.median());
            table.add(variant + " / " + row.base, String.valueOf(row.p50.size()), thousandths(p50.median()),
                    range(p50), thousandths(batch.median()), range(batch), Format.duration(more.median()));
        });
        session.out().println();
        session.out().print(table);
    }

    private static Quartiles quartiles(List<Double> values) {
        return Quartiles.of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static String range(Quartiles quartiles) {
        return thousandths(quartiles.first()) + " to " + thousandths(quartiles.third());
    }

    private static String thousandths(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }
}
