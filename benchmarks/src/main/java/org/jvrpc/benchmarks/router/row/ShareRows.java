package org.jvrpc.benchmarks.router.row;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Quartiles;
import org.jvrpc.benchmarks.report.Table;
import org.jvrpc.benchmarks.router.FlowClient;
import org.jvrpc.benchmarks.router.RouterContenders;

/** What tenants get that want more than they may have, by a rate or by a share. */
final class ShareRows {

    private static final String RATE = "router-rate";
    private static final String FAIRNESS = "router-fairness";
    /** What a WQE is charged beside its bytes. */
    private static final int WQE_BYTES = 64;

    private final Session session;
    private final Duration round;
    private final int rounds;

    ShareRows(Session session) {
        this.session = session;
        this.round = session.choose(Duration.ofSeconds(2), Duration.ofSeconds(5));
        this.rounds = session.choose(3, 5);
    }

    void rates() throws IOException {
        Table table = new Table("", "asked for", "got", "error");
        Map<String, List<List<Double>>> all = measure(RouterContenders.RATE_BYTES, RouterContenders.RATE_WQES);
        add(table, all.get(RouterContenders.RATE_BYTES), "bytes", RouterContenders.BYTES_A_SECOND,
                RouterContenders.FLOW_BYTES + WQE_BYTES);
        add(table, all.get(RouterContenders.RATE_WQES), "wqes", RouterContenders.WQES_A_SECOND, 1);
        session.out().println();
        session.out().println(RATE + ": a tenant that always has more to do; bytes, 100 MB/s by WRITEs of 16 KiB, of"
                + " which each is charged 64 bytes more; wqes, 50,000 a second, by WRITEs of 8 bytes");
        session.out().print(table);
    }

    private void add(Table table, List<List<Double>> rates, String who, double limit, double charge) {
        if (rates.size() < rounds) {
            return;
        }
        double got = median(rates.stream().map(each -> each.get(0) * charge).toList());
        double error = median(rates.stream().map(each -> Math.abs(each.get(0) * charge / limit - 1)).toList());
        session.figures().put(RATE, who, "per_s", got);
        session.figures().put(RATE, who, "error_fraction", error);
        table.add(who, Format.rate(limit), Format.rate(got), Format.percent(error));
    }

    void fairness() throws IOException {
        List<List<Double>> rates = measure(RouterContenders.FAIR).get(RouterContenders.FAIR);
        if (rates.size() < rounds) {
            return;
        }
        double jain = median(rates.stream().map(ShareRows::jain).toList());
        double sum = median(rates.stream().map(each -> each.stream().mapToDouble(rate -> rate).sum()
                * RouterContenders.FLOW_BYTES).toList());
        double least = median(rates.stream().map(each -> each.stream().mapToDouble(rate -> rate).min().orElse(0)
                / each.stream().mapToDouble(rate -> rate).max().orElse(1)).toList());
        session.figures().put(FAIRNESS, "tenants-" + RouterContenders.FAIR_TENANTS, "jain", jain);
        session.figures().put(FAIRNESS, "tenants-" + RouterContenders.FAIR_TENANTS, "least_most_ratio", least);
        Table table = new Table("", "all together", "least / most", "Jain's index");
        table.add(RouterContenders.FAIR_TENANTS + " equal tenants", Format.bandwidth(sum), Format.ratio(least),
                String.format("%.4f", jain));
        session.out().println();
        session.out().println(FAIRNESS + ": tenants whose queues of WRITEs of 16 KiB are always full; the index is 1"
                + " where all get the same, 1/8 where one gets all");
        session.out().print(table);
    }

    static double jain(List<Double> shares) {
        double sum = shares.stream().mapToDouble(share -> share).sum();
        double squares = shares.stream().mapToDouble(share -> share * share).sum();
        return sum * sum / (shares.size() * squares);
    }

    private static double median(List<Double> values) {
        return Quartiles.of(values.stream().mapToDouble(value -> value).toArray()).median();
    }

    /** Returns the rates of each contender's tenants, round by round. */
    private Map<String, List<List<Double>>> measure(String... names) throws IOException {
        List<Contender> contenders = session.contenders(names);
        Map<String, List<List<Double>>> rates = new LinkedHashMap<>();
        for (String name : names) {
            rates.put(name, new ArrayList<>());
        }
        try (Run run = Run.open(); Contest contest = session.contest(run, contenders, 1)) {
            contest.round(pair -> pair.pipeline(1, 1, 1, round.dividedBy(2)));
            for (int i = 1; i <= rounds; i++) {
                session.progress("round " + i + " of " + rounds);
                contest.round(pair -> rates.get(pair.contender().name()).add(take(pair)));
            }
            session.noteOthers(run.othersCpuFraction());
        }
        return rates;
    }

    private List<Double> take(Pair pair) throws ContenderException {
        pair.pipeline(1, 1, 1, round);
        String first = pair.contender().name().equals(RouterContenders.FAIR) ? "fair0" : RouterContenders.CLIENT.name();
        try {
            return FlowClient.rates(pair.folder(), first);
        } catch (IOException e) {
            throw new ContenderException(pair.contender().name() + ": no rates: " + e);
        }
    }
}
