package org.jvrpc.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.latency.Batches;
import org.jvrpc.benchmarks.latency.Beside;
import org.jvrpc.benchmarks.latency.Forks;
import org.jvrpc.benchmarks.latency.LatencyPlan;
import org.jvrpc.benchmarks.latency.LatencyRunner;
import org.jvrpc.benchmarks.latency.OpenLoop;
import org.jvrpc.benchmarks.report.LatencyTable;
import org.jvrpc.benchmarks.report.Measured;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A call without arguments or result. */
@Command(name = "null-rpc")
final class NullRpc extends BenchCommand {

    private static final String NAME = "null-rpc";

    private static final int FULL_RATE = 20_000;
    private static final int MOST_RATE = 1_000_000;
    private static final int MOST_FORKS = 100;
    private static final List<String> VARIANTS =
            List.of(Contenders.NO_COUNTERS, Contenders.SAMPLED_OUT, Contenders.SAMPLED);

    @Spec
    private CommandSpec command;

    private int rate;
    private int forks = 1;

    @Option(names = "--rate", paramLabel = "CALLS")
    void setRate(int calls) {
        if (calls < 1 || calls > MOST_RATE) {
            throw new ParameterException(command.commandLine(),
                    "--rate must be 1 to " + MOST_RATE + " calls a second, not " + calls);
        }
        rate = calls;
    }

    @Option(names = "--forks", paramLabel = "N")
    void setForks(int runs) {
        if (runs < 1 || runs > MOST_FORKS) {
            throw new ParameterException(command.commandLine(), "--forks must be 1 to " + MOST_FORKS + ", not " + runs);
        }
        forks = runs;
    }

    @Override
    void measure(Session session) throws IOException {
        if (forks > 1 && Collections.disjoint(session.only(), VARIANTS)) {
            session.fail("--forks=" + forks + " compares variants, and --only names none of " + VARIANTS);
            return;
        }
        Forks variants = new Forks();
        for (int fork = 1; fork < forks; fork++) {
            session.progress("run " + fork + " of " + forks);
            fork(session, fork, variants);
        }
        LatencyPlan plan = session.choose(LatencyPlan.quick(1300, 5, 15, 180), LatencyPlan.full(15, 50, 500));
        Batches batches = new Batches(plan.round().dividedBy(4));
        int perSecond = rate == 0 ? session.choose(0, FULL_RATE) : rate;
        OpenLoop openLoop = new OpenLoop(perSecond, plan.round());
        Beside[] beside = perSecond == 0 ? new Beside[] {batches} : new Beside[] {batches, openLoop};
        Map<String, Measured> rows = run(session, contenders(session), plan, beside);
        note(variants, rows, batches);
        variants.report(session, NAME);
        report(session, NAME, "no arguments, no result; " + plan.rounds() + " rounds", rows);
        batches.report(session, NAME, plan.rounds());
        if (perSecond > 0) {
            openLoop.report(session, NAME, plan.rounds());
        }
    }

    /** One more run with JVMs of its own, in which contenders have their turns in the other order each second time. */
    private static void fork(Session session, int fork, Forks variants) throws IOException {
        LatencyPlan plan = session.choose(LatencyPlan.quick(1300, 5, 15, 180), LatencyPlan.full(5, 50, 500));
        List<Contender> contenders = new ArrayList<>(contenders(session));
        if (fork % 2 == 1) {
            Collections.reverse(contenders);
        }
        Batches batches = new Batches(plan.round().dividedBy(4));
        note(variants, run(session, contenders, plan, batches), batches);
    }

    private static Map<String, Measured> run(Session session, List<Contender> contenders, LatencyPlan plan,
            Beside... beside) throws IOException {
        return new LatencyRunner(session, plan, beside).run(contenders, List.of(Workload.NULL)).get(Workload.NULL);
    }

    private static void note(Forks variants, Map<String, Measured> rows, Batches batches) {
        variants.add(Contenders.JVRPC, Contenders.NO_COUNTERS, rows, batches);
        variants.add(Contenders.SAMPLED_OUT, Contenders.JVRPC, rows, batches);
        variants.add(Contenders.SAMPLED, Contenders.JVRPC, rows, batches);
    }

    private static List<Contender> contenders(Session session) {
        return !Collections.disjoint(session.only(), VARIANTS)
                ? session.contenders(Contenders.JVRPC, Contenders.NO_COUNTERS, Contenders.SAMPLED_OUT,
                        Contenders.SAMPLED)
                : session.contenders(Contenders.LIMIT, Contenders.JVRPC, Contenders.ADAPTIVE, Contenders.AERON,
                        "tcp-blocking", "tcp-spinning", "uds-blocking", "uds-spinning", "grpc", "grpc-direct",
                        "grpc-uds");
    }

    /** Notes the rows of one workload and prints their table. */
    static void report(Session session, String bench, String what, Map<String, Measured> rows) {
        rows.forEach((name, row) -> session.figures().put(bench, name, row));
        Measured aeron = rows.get(Contenders.AERON);
        rows.forEach((name, row) -> {
            if (aeron != null && name.startsWith(Contenders.JVRPC)) {
                session.figures().put(bench, name, "p50_aeron_ratio", row.over(aeron).median());
                session.figures().put(bench, name, "p99_aeron_ratio", row.p99Over(aeron).median());
            }
        });
        session.out().println();
        session.out().println(bench + ": " + what + "; closed loop, medians over the rounds, quartiles of their p50");
        session.out().print(LatencyTable.of(rows, Contenders.JVRPC, Contenders.AERON));
    }
}
