package org.jvrpc.benchmarks.router.row;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Walls;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import org.jvrpc.benchmarks.router.RouterContenders;

/** What a tenant notices that calls now and then, of another that floods their router. */
final class VictimRow {

    private static final String BENCH = "router-victim";
    private static final Duration SETTLE = Duration.ofMillis(100);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final String ALONE = "alone";

    private final Session session;
    private final Duration round;
    private final int rounds;

    VictimRow(Session session) {
        this.session = session;
        this.round = session.choose(Duration.ofMillis(1000), Duration.ofSeconds(3));
        this.rounds = session.choose(5, 9);
    }

    void run() throws IOException, ContenderException {
        List<Contender> all = session.contenders(RouterContenders.VICTIM, RouterContenders.FLOOD_BYTES,
                RouterContenders.FLOOD_WQES);
        Map<String, Measured> rows = new LinkedHashMap<>();
        rows.put(ALONE, new Measured());
        try (Run run = Run.open(); Pair pair = Pair.start(run, all.get(0), 1)) {
            Map<String, Child> flooders = new LinkedHashMap<>();
            for (Contender flooder : all.subList(1, all.size())) {
                String name = flooder.name();
                flooders.put(name, run.start(name, flooder, pair.folder(),
                        List.of(Walls.CLIENT, name, pair.server().greeting(), "0")));
                rows.put(name, new Measured());
            }
            for (int i = 0; i <= rounds; i++) {
                session.progress(BENCH + (i == 0 ? ": warming up" : ": round " + i + " of " + rounds));
                for (Map.Entry<String, Measured> row : rows.entrySet()) {
                    Summary summary = turn(pair, flooders.get(row.getKey()));
                    if (i > 0) {
                        row.getValue().add(summary);
                    }
                }
            }
            session.noteOthers(run.othersCpuFraction());
        }
        report(rows);
    }

    private Summary turn(Pair pair, Child flooder) throws ContenderException {
        if (flooder == null) {
            return Summary.of(pair.latency(Workload.NULL, SETTLE, round, Long.MAX_VALUE));
        }
        flooder.send("pipeline 1 1 " + SETTLE.multipliedBy(3).plus(round).toNanos());
        Summary summary = Summary.of(pair.latency(Workload.NULL, SETTLE.multipliedBy(2), round, Long.MAX_VALUE));
        flooder.answer(round.plus(GRACE));
        return summary;
    }

    private void report(Map<String, Measured> rows) {
        Table table = new Table("beside", "p50", "p99", "p99 / alone");
        rows.forEach((name, row) -> {
            String who = name.equals(ALONE) ? name : name.substring(RouterContenders.PREFIX.length());
            Summary summary = row.median();
            double ratio = row.p99Over(rows.get(ALONE)).median();
            session.figures().put(BENCH, who, summary);
            session.figures().put(BENCH, who, "p99_alone_ratio", ratio);
            table.add(who, Format.duration(summary.p50()), Format.duration(summary.p99()), Format.ratio(ratio));
        });
        session.out().println();
        session.out().println(BENCH + ": a tenant that calls 1,000 times a second, alone and beside one that always has"
                + " WRITEs of 16 KiB (bytes), or of 8 bytes (wqes), under way to the same server");
        session.out().print(table);
    }
}
