package org.jvrpc.tools.watch.pingmesh;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jvrpc.watch.JsonWriter;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.fabric.mesh.GreyFailure;
import org.jvrpc.watch.fabric.mesh.MeshSettings;
import org.jvrpc.watch.fabric.mesh.MeshTrial;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc pingmesh fabric}. */
@Command(name = "fabric",
        description = {"Plants failures in a simulated fabric whose hosts probe each other, and says who is blamed.",
            "Exit code 0 when each failure was named and nothing else was; 1 when one was missed or a sound part"
                + " blamed; 2 for wrong arguments."})
final class FabricMeshCommand implements Callable<Integer> {

    private static final double MEGABYTE = 1e6;

    @Option(names = "--hosts", defaultValue = "64",
            description = "64, or a multiple of 20 from 40 on; by default ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--failures", defaultValue = "all", paramLabel = "NAMES",
            description = "all, none, or some, with commas: ${COMPLETION-CANDIDATES}",
            completionCandidates = Names.class)
    private String failures;

    @Option(names = "--seed", defaultValue = "1", description = "By default ${DEFAULT-VALUE}; it draws the places.")
    private long seed;

    @Option(names = "--quiet-runs", defaultValue = "0", paramLabel = "N",
            description = "So many runs of 4 windows without a failure, of seeds 1 to N; by default ${DEFAULT-VALUE}.")
    private int quietRuns;

    @Option(names = "--json", description = "Print one object of JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private int named;
    private int missed;
    private int wrong;

    /** Names of failures. */
    static final class Names extends ArrayList<String> {

        private static final long serialVersionUID = 1L;

        Names() {
            for (GreyFailure failure : GreyFailure.values()) {
                add(failure.name());
            }
        }
    }

    @Override
    public Integer call() {
        MeshSettings settings;
        List<GreyFailure> chosen;
        try {
            settings = MeshSettings.of(hosts);
            chosen = chosen();
            if (quietRuns < 0 || quietRuns > 1000) {
                throw new IllegalArgumentException("--quiet-runs=" + quietRuns + ": 0 to 1000");
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        JsonWriter all = new JsonWriter().object().name("hosts").value(hosts).name("seed").value(seed)
                .name("failures").array();
        for (GreyFailure failure : chosen) {
            plant(settings, failure, out, all);
        }
        all.end().name("quiet").array();
        for (int i = 1; i <= quietRuns; i++) {
            quiet(settings, i, out, all);
        }
        all.end().name("named").value(named).name("missed").value(missed).name("wrong").value(wrong).end();
        if (json) {
            out.println(all);
        } else {
            out.printf(Locale.ROOT, "%d of %d named rightly within %d rounds; %d blamed beside them or without"
                    + " reason%n", named, named + missed, MeshTrial.ROUNDS, wrong);
        }
        out.flush();
        return missed + wrong > 0 ? 1 : 0;
    }

    private List<GreyFailure> chosen() {
        if (failures.equals("all")) {
            return List.of(GreyFailure.values());
        }
        List<GreyFailure> chosen = new ArrayList<>();
        for (String name : failures.equals("none") ? new String[0] : failures.split(",")) {
            try {
                chosen.add(GreyFailure.valueOf(name.trim().toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("no failure: " + name + "; there are " + new Names(), e);
            }
        }
        return chosen;
    }

    private void plant(MeshSettings settings, GreyFailure failure, PrintWriter out, JsonWriter all) {
        MeshTrial.Outcome outcome = MeshTrial.run(settings, failure, seed);
        named += outcome.isNamed() ? 1 : 0;
        missed += outcome.isNamed() ? 0 : 1;
        wrong += outcome.others() + outcome.before().size();
        all.object().name("failure").value(failure.name()).name("planted").value(outcome.planted().names().toString())
                .name("cause").value(outcome.planted().cause().name()).name("named").value(outcome.isNamed())
                .name("rounds").value(outcome.rounds()).name("verdicts").array();
        outcome.verdicts().forEach(verdict -> write(verdict, all));
        all.end().end();
        if (!json) {
            out.printf(Locale.ROOT, "%-18s %s: %s at %s%n", failure, outcome.isNamed()
                    ? "named in round " + outcome.rounds() : "MISSED", outcome.planted().cause(),
                    outcome.planted().names());
            outcome.verdicts().forEach(verdict -> out.println("    " + line(verdict)));
            outcome.before().forEach(verdict -> out.println("    false alarm before: " + line(verdict)));
            out.flush();
        }
    }

    private void quiet(MeshSettings settings, int run, PrintWriter out, JsonWriter all) {
        MeshTrial.Quiet quiet = MeshTrial.quiet(settings, run, MeshTrial.ROUNDS + 1);
        wrong += quiet.verdicts().size();
        all.object().name("seed").value(run).name("windows").value(quiet.windows()).name("probes")
                .value(quiet.probes()).name("lost").value(quiet.lost()).name("verdicts").array();
        quiet.verdicts().forEach(verdict -> write(verdict, all));
        all.end().end();
        if (!json) {
            out.printf(Locale.ROOT, "quiet run, seed %d: %d windows, %d probes, %d lost, background moved %.1f MB,"
                    + " %d verdicts%n", run, quiet.windows(), quiet.probes(), quiet.lost(),
                    quiet.backgroundBytes() / MEGABYTE, quiet.verdicts().size());
            quiet.verdicts().forEach(verdict -> out.println("    false alarm: " + line(verdict)));
            out.flush();
        }
    }

    private static void write(Verdict verdict, JsonWriter to) {
        to.object().name("window").value(verdict.window()).name("kind").value(verdict.who().kind().name())
                .name("who").value(verdict.who().name()).name("cause").value(verdict.cause().name())
                .name("strength").value(verdict.strength()).name("share").value(verdict.share())
                .name("windows").value(verdict.windows()).name("evidence").value(verdict.evidence()).end();
    }

    private static String line(Verdict verdict) {
        return String.format(Locale.ROOT, "%s %s, strength %.0f: %s", verdict.who(), verdict.cause(),
                verdict.strength(), verdict.evidence());
    }
}
