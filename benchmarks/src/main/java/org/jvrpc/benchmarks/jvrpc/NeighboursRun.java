package org.jvrpc.benchmarks.jvrpc;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.HistogramFile;
import org.jvrpc.benchmarks.harness.Pinning;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;

/**
 * What clients that ask seldom notice of one that asks for much. The server's poller has a processor of its own. All
 * clients share the other one with the server's heavy calls, and the modest go first there: what they notice is the
 * poller's doing.
 */
public final class NeighboursRun {

    /** What the contenders' names end with, behind the run's. */
    public static final String MODEST = "-modest";
    public static final String CALLS = "-calls";
    public static final String BODIES = "-bodies";

    private static final int SLEEP_US = 100;
    private static final int SERVER_CPU = 1;
    private static final int CLIENT_CPU = 0;
    /** What names of the threads begin with that run heavy calls, among them all with so long arguments. */
    private static final String HEAVY = "jvrpc-h";
    private static final Duration LEAD = Duration.ofMillis(300);
    private static final Duration GRACE = Duration.ofSeconds(120);

    /** The client beside the modest ones, and how many calls it has under way. */
    private enum Neighbour {
        NOBODY("", 0), CALLS(NeighboursRun.CALLS, 256), BODIES(NeighboursRun.BODIES, 8),
        BODIES_CROWDED(NeighboursRun.BODIES, 8), STOPPED(NeighboursRun.CALLS, 256);

        private final String contender;
        private final int window;

        Neighbour(String contender, int window) {
            this.contender = contender;
            this.window = window;
        }
    }

    private final Session session;
    private final String bench;
    private final Duration round;
    private final int rounds;
    private final Pinning pinning = new Pinning();
    private final Map<Neighbour, Measured> rows = new EnumMap<>(Neighbour.class);
    private final Map<String, Child> greedy = new HashMap<>();
    private Path histogram;
    private Child serving;
    private Child modest;

    /**
     * Prepares.
     *
     * @param bench what figures are noted under, and what the contenders' names begin with
     */
    public NeighboursRun(Session session, String bench, Duration round, int rounds) {
        this.session = session;
        this.bench = bench;
        this.round = round;
        this.rounds = rounds;
        for (Neighbour neighbour : Neighbour.values()) {
            rows.put(neighbour, new Measured());
        }
    }

    /** Measures, notes figures and prints a table. */
    public void run() throws IOException, ContenderException {
        boolean first;
        try (Run run = Run.open()) {
            histogram = run.directory().resolve("modest.histogram");
            serving = run.start("server", List.of(),
                    List.of("server", bench + MODEST, run.directory().toString(), "1"));
            String address = serving.greeting();
            modest = start(run, MODEST, address);
            greedy.put(CALLS, start(run, CALLS, address));
            greedy.put(BODIES, start(run, BODIES, address));
            pinning.pin(serving.pid(), SERVER_CPU);
            first = pinning.prefer(modest.pid());
            session.progress(bench + ": warming up");
            for (Neighbour neighbour : Neighbour.values()) {
                turn(neighbour, round.multipliedBy(2));
            }
            for (int i = 1; i <= rounds; i++) {
                session.progress(bench + ": round " + i + " of " + rounds);
                for (Neighbour neighbour : Neighbour.values()) {
                    rows.get(neighbour).add(turn(neighbour, round));
                }
            }
        }
        report(first);
    }

    private Child start(Run run, String which, String address) throws ContenderException, IOException {
        String contender = bench + which;
        Child child = run.start(contender, List.of("-D" + HistogramFile.PROPERTY + "=" + histogram),
                List.of("client", contender, address, "0"));
        pinning.pin(child.pid(), CLIENT_CPU);
        return child;
    }

    private Summary turn(Neighbour neighbour, Duration duration) throws ContenderException, IOException {
        Child other = greedy.get(neighbour.contender);
        pinning.pinThreads(serving.pid(), HEAVY, neighbour == Neighbour.BODIES_CROWDED ? SERVER_CPU : CLIENT_CPU);
        if (other != null) {
            other.send("pipeline 1 " + neighbour.window + ' ' + duration.plus(LEAD).toNanos());
        }
        ask(LEAD.dividedBy(2)); // the other is at it, or stopped in the middle of it; a cold client may end no call yet
        if (neighbour == Neighbour.STOPPED) {
            other.stop();
        }
        Summary summary = calls(duration);
        if (other != null) {
            other.resume();
            other.answer(duration.plus(GRACE));
        }
        return summary;
    }

    private void ask(Duration duration) throws ContenderException {
        modest.ask("pipeline 1 " + SLEEP_US + ' ' + duration.toNanos(), duration.plus(GRACE));
    }

    private Summary calls(Duration duration) throws ContenderException, IOException {
        ask(duration);
        return Summary.of(HistogramFile.read(histogram));
    }

    private void report(boolean first) {
        Table table = new Table("beside", "p50", "p99", "p99.9", "p99 / alone");
        long alone = rows.get(Neighbour.NOBODY).median().p99();
        for (Neighbour neighbour : Neighbour.values()) {
            String who = neighbour.name().toLowerCase(Locale.ROOT).replace('_', '-');
            Summary summary = rows.get(neighbour).median();
            double ratio = (double) summary.p99() / alone;
            session.figures().put(bench, who, summary);
            session.figures().put(bench, who, "alone_ratio", ratio);
            table.add(who, Format.duration(summary.p50()), Format.duration(summary.p99()),
                    Format.duration(summary.p999()), Format.ratio(ratio));
        }
        session.out().println();
        session.out().println(bench + ": " + ModestClients.CLIENTS + " clients, one of which calls every " + SLEEP_US
                + " us, beside a tenth with so many calls under way: calls, 256 of 8 bytes; bodies, 8 of 1 MiB; "
                + "crowded, where they run on the server's processor instead of the clients'; "
                + "stopped, 256 and SIGSTOP; medians of " + rounds + " rounds");
        if (!pinning.isPossible() || !first) {
            session.out().println("the clients compete for the processor: the system does not let the modest go first");
        }
        session.out().print(table);
    }
}
