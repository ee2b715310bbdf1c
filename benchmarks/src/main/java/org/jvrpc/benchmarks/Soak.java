package org.jvrpc.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.soak.FaultSoak;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Random mixed calls for a long time, every answer checked; or campaigns of faults, every call accounted for. */
@Command(name = "soak")
final class Soak extends BenchCommand {

    /** The property by which the processes learn the seed. */
    static final String SEED_PROPERTY = "jvrpc.bench.seed";

    private static final int CLIENTS = 2;
    private static final int THREADS = 3;
    private static final int WINDOW = 16;
    private static final Duration SLICE = Duration.ofSeconds(10);

    @Spec
    private CommandSpec command;

    private double minutes;

    @Option(names = "--seed", paramLabel = "N")
    private Long seed;

    @Option(names = "--faults")
    private boolean faults;

    @Option(names = "--only-faults", paramLabel = "N[,N]", split = ",")
    private Set<Integer> onlyFaults;

    @Option(names = "--shrink-minutes", paramLabel = "N", defaultValue = "5")
    private double shrinkMinutes;

    @Option(names = "--minutes", paramLabel = "N")
    void setMinutes(double minutes) {
        if (!(minutes > 0)) {
            throw new ParameterException(command.commandLine(), "--minutes must be more than 0: " + minutes);
        }
        this.minutes = minutes;
    }

    @Override
    void measure(Session session) throws Exception {
        long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1_000_000_000) : seed;
        if (faults || onlyFaults != null) {
            double length = minutes > 0 ? minutes : session.choose(1.0, 5.0);
            new FaultSoak(session, chosen, length, shrinkMinutes).run(onlyFaults);
        } else {
            withoutFaults(session, chosen);
        }
    }

    private void withoutFaults(Session session, long chosen) throws IOException {
        Duration total = minutes > 0
                ? Duration.ofMillis(Math.round(minutes * 60_000))
                : session.choose(Duration.ofSeconds(30), Duration.ofMinutes(5));
        session.out().println("soak: seed " + chosen + ", " + total.toSeconds() + " s, " + CLIENTS
                + " client processes of " + THREADS + " threads, every answer checked");
        Contender contender = Contenders.byName("soak").withFlags("-D" + SEED_PROPERTY + "=" + chosen);
        try (Run run = Run.open(); Pair pair = Pair.start(run, contender, CLIENTS)) {
            double calls = soak(session, pair, total);
            session.figures().put("soak", "jvrpc", "ops_per_s", calls / total.toSeconds());
            session.out().printf(Locale.ROOT, "soak: %s calls, all answers right%n", Format.count(calls));
        } catch (ContenderException e) {
            session.fail("soak with --seed " + chosen + ": " + e.getMessage());
        }
    }

    private static double soak(Session session, Pair pair, Duration total) throws ContenderException {
        double calls = 0;
        Duration done = Duration.ZERO;
        while (done.compareTo(total) < 0) {
            Duration remaining = total.minus(done);
            Duration slice = remaining.compareTo(SLICE) < 0 ? remaining : SLICE;
            double rate = pair.pipeline(CLIENTS, THREADS, WINDOW, slice);
            done = done.plus(slice);
            calls += rate * slice.toMillis() / 1e3;
            session.out().printf(Locale.ROOT, "  %5d s  %s, %s calls%n", done.toSeconds(), Format.rate(rate),
                    Format.count(calls));
        }
        return calls;
    }
}
