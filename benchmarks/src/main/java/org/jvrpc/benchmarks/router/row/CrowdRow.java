package org.jvrpc.benchmarks.router.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import org.jvrpc.benchmarks.router.Placement;
import org.jvrpc.benchmarks.router.RouterContenders;
import org.jvrpc.benchmarks.router.RouterPlace;

/** Ten tenants that call in turn, alone, and beside 990 others that are attached and silent. */
final class CrowdRow {

    private static final String BENCH = "router-tenants";
    private static final String FEW = RouterContenders.CROWD + RouterContenders.BUSY;
    private static final String MANY = RouterContenders.CROWD + RouterContenders.CROWDED;

    private static final int PAGE = 4096;

    private final Session session;
    private final Placement placement = Placement.ofOneHost();
    private final Map<String, Measured> rows = new LinkedHashMap<>();
    private final Map<String, Held> held = new LinkedHashMap<>();

    CrowdRow(Session session) {
        this.session = session;
    }

    void run() throws IOException {
        LatencyPlan plan = session.choose(LatencyPlan.quick(1500, 5, 30, 200), LatencyPlan.full(11, 50, 500));
        try (Run run = Run.open(); Contest contest = session.contest(run, session.contenders(FEW, MANY), 1)) {
            contest.round(placement::aroundTheThird);
            contest.round(pair -> {
                rows.put(pair.contender().name(), new Measured());
                session.warmUp(pair, "null", Duration.ofMillis(1500), length -> pair.window(Workload.NULL, length));
            });
            for (int i = 1; i <= plan.rounds(); i++) {
                session.progress("round " + i + " of " + plan.rounds());
                contest.round(pair -> rows.get(pair.contender().name()).add(Summary.of(
                        pair.latency(Workload.NULL, plan.settle(), plan.round(), Long.MAX_VALUE))));
            }
            contest.round(pair -> held.put(pair.contender().name(), held(pair)));
            session.noteOthers(run.othersCpuFraction());
        }
        report();
    }

    private static Held held(Pair pair) throws ContenderException {
        Path server = RouterPlace.tenant(pair.folder(), RouterContenders.SERVER);
        long servers = 0;
        long all = 0;
        try (Stream<Path> files = Files.walk(RouterPlace.run(pair.folder(), RouterPlace.HOST))) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                long bytes = (Files.size(file) + PAGE - 1) / PAGE * PAGE;
                all += bytes;
                servers += file.startsWith(server) ? bytes : 0;
            }
        } catch (IOException e) {
            throw new ContenderException(pair.contender().name() + ": " + e);
        }
        return new Held(all - servers, servers, pair.thirdMemory());
    }

    private void report() {
        Measured few = rows.get(FEW);
        Table table = new Table("attached", "busy", "p50", "p99", "p50 / " + RouterContenders.BUSY + " attached");
        rows.forEach((name, row) -> {
            String count = name.substring(RouterContenders.CROWD.length());
            Summary summary = row.median();
            session.figures().put(BENCH, "attached-" + count, row);
            String ratio = "-";
            if (few != null && row != few) {
                double times = row.over(few).median();
                session.figures().put(BENCH, "attached-" + count, "p50_few_ratio", times);
                ratio = Format.ratio(times);
            }
            table.add(count, Integer.toString(RouterContenders.BUSY), Format.duration(summary.p50()),
                    Format.duration(summary.p99()), ratio);
        });
        session.out().println();
        session.out().println(BENCH + ": null calls of ten tenants in turn, beside others that are attached, connected"
                + " and silent" + (placement.isSharing() ? "; client and server share a processor" : ""));
        session.out().print(table);
        if (held.size() == 2) {
            Held each = held.get(MANY).eachMoreThan(held.get(FEW), RouterContenders.CROWDED - RouterContenders.BUSY);
            session.figures().put(BENCH, "memory", "bytes_per_tenant", each.own() + each.servers() + each.router());
            session.out().println("a silent tenant holds " + kib(each.own() + each.servers() + each.router()) + ": its"
                    + " own files " + kib(each.own()) + ", its part of its server's " + kib(each.servers())
                    + ", the router's process " + kib(each.router()));
        }
    }

    private static String kib(long bytes) {
        return Math.round(bytes / 1024.0) + " KiB";
    }

    /**
     * Bytes of memory.
     *
     * @param own in the files of the tenants that call, or could
     * @param servers in those of the one that is called
     * @param router in the router's process, without what it shares
     */
    private record Held(long own, long servers, long router) {

        Held eachMoreThan(Held few, int tenants) {
            return new Held((own - few.own) / tenants, (servers - few.servers) / tenants,
                    (router - few.router) / tenants);
        }
    }
}
