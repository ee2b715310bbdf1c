package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.CpuTime;
import org.jvrpc.benchmarks.harness.LatencyLoop;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import picocli.CommandLine.Command;

/** What a server and a client cost while nobody calls, and how long the first call after that takes. */
@Command(name = "idle")
final class Idle extends BenchCommand {

    private static final Duration SETTLE = Duration.ofSeconds(1);

    private static final Duration QUICK_WARM_UP = Duration.ofMillis(800);

    private final Table table = new Table("", "server CPU", "client CPU", "first call p50", "max", "busy p50");

    @Override
    void measure(Session session) throws IOException {
        for (Contender contender : session.contenders(Contenders.ADAPTIVE, Contenders.JVRPC, "jvrpc-back-off",
                "jvrpc-block", "uds-blocking")) {
            session.progress("idle: " + contender.name());
            try (Run run = Run.open(); Pair pair = Pair.start(run, contender, 1)) {
                measure(session, pair);
                session.noteOthers(run.othersCpuFraction());
            } catch (ContenderException e) {
                session.fail(e.getMessage());
            }
        }
        session.out().println();
        session.out().println("idle: part of one core used after " + SETTLE.toSeconds()
                + " s without calls, and the first call after such a pause; adaptive is the default;"
                + " uds-blocking shows what the system takes to wake two processes");
        session.out().print(table);
    }

    private void measure(Session session, Pair pair) throws ContenderException {
        Duration watched = session.choose(Duration.ofSeconds(2), Duration.ofSeconds(5));
        Duration pause = session.choose(Duration.ofMillis(300), Duration.ofMillis(1100));
        int firstCalls = session.choose(6, 20);

        session.warmUp(pair, "idle", QUICK_WARM_UP, length -> pair.window(Workload.NULL, length));
        Duration calling = session.choose(Duration.ofMillis(200), Duration.ofSeconds(1));
        Summary busy = Summary.of(pair.latency(Workload.NULL, Duration.ZERO, calling, Long.MAX_VALUE));
        sleep(SETTLE);
        double serverBefore = cpuSeconds(pair.server());
        double clientBefore = cpuSeconds(pair.client());
        long begun = System.nanoTime();
        sleep(watched);
        double seconds = (System.nanoTime() - begun) / 1e9;
        double server = (cpuSeconds(pair.server()) - serverBefore) / seconds;
        double client = (cpuSeconds(pair.client()) - clientBefore) / seconds;

        Histogram firsts = LatencyLoop.histogram();
        for (int i = 0; i < firstCalls; i++) {
            sleep(pause);
            firsts.add(pair.latency(Workload.NULL, Duration.ZERO, pause, 1));
        }
        String name = pair.contender().name();
        if (name.equals(Contenders.ADAPTIVE)) {
            note(session, "idle", server, client, Summary.of(firsts), busy);
        }
        String strategy = name.equals(Contenders.JVRPC) ? "spin" : name.replace("jvrpc-", "");
        note(session, "idle-" + strategy, server, client, Summary.of(firsts), busy);
        table.add(List.of(strategy, Format.percent(server), Format.percent(client),
                Format.duration(firsts.getValueAtPercentile(50)), Format.duration(firsts.getMaxValue()),
                Format.duration(busy.p50())));
    }

    private static void note(
            Session session, String bench, double server, double client, Summary first, Summary busy) {
        session.figures().put(bench, "server", "cpu_fraction", server);
        session.figures().put(bench, "client", "cpu_fraction", client);
        session.figures().put(bench, "first-call", "p50_ns", first.p50());
        session.figures().put(bench, "first-call", "max_ns", first.max());
        session.figures().put(bench, "busy", "p50_ns", busy.p50());
    }

    private static double cpuSeconds(Child child) throws ContenderException {
        try {
            return CpuTime.ofProcess(child.pid());
        } catch (IOException e) {
            throw new ContenderException("pid=" + child.pid() + " has no CPU time: " + e.getMessage());
        }
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
