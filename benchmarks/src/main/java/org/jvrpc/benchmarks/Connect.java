package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import picocli.CommandLine.Command;

/** From nothing to the first answer, in a warm JVM. */
@Command(name = "connect")
final class Connect extends BenchCommand {

    private static final String NAME = "connect";
    /** That make both sides warm; each is made of many calls of most methods. */
    private static final int CONNECTIONS = 500;
    private static final Duration QUICK_WARM_UP = Duration.ofMillis(1500);

    @Override
    void measure(Session session) throws IOException {
        List<Contender> contenders = session.contenders(
                Contenders.JVRPC, Contenders.ADAPTIVE, "tcp-blocking", "uds-blocking", "grpc");
        Duration duration = session.choose(Duration.ofMillis(500), Duration.ofSeconds(3));
        int rounds = session.choose(5, 7);
        Map<String, Measured> rows = new LinkedHashMap<>();
        contenders.forEach(contender -> rows.put(contender.name(), new Measured()));
        try (Run run = Run.open(); Contest contest = session.contest(run, contenders, 1)) {
            session.progress("warming up");
            contest.round(pair -> session.noteWarmUp(pair.contender().name(), NAME,
                    session.warmUp(QUICK_WARM_UP).withLeastOf(CONNECTIONS).run(pair, pair::connections)));
            for (int i = 1; i <= rounds && !contest.isEmpty(); i++) {
                session.progress("round " + i + " of " + rounds);
                contest.round(pair -> rows.get(pair.contender().name()).add(Summary.of(pair.connect(duration))));
            }
            session.noteOthers(run.othersCpuFraction());
        }
        rows.values().removeIf(row -> row.size() < rounds);
        rows.forEach((name, row) -> session.figures().put(NAME, name, row));
        session.out().println();
        session.out().println("connect: connect and first answer in a warm JVM, the close not timed; medians of "
                + rounds + " rounds");
        session.out().print(LatencyTable.of(rows, Contenders.JVRPC));
    }
}
