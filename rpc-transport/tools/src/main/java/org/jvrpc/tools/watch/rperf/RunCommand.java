package org.jvrpc.tools.watch.rperf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.PairEngine;
import org.jvrpc.watch.rperf.PairLoop;
import org.jvrpc.watch.rperf.RperfResult;
import org.jvrpc.watch.rperf.verbs.VerbsPairs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc rperf run}. */
@Command(name = "run",
        description = {"Measures from this host to an agent's device, or has agents of other hosts do so, all at once.",
            "Exit code 0 when it was measured; 1 when something was found: losses, an early end, p99 over its limit;"
                + " 2 for wrong arguments; 3 when it could not be measured."})
final class RunCommand implements Callable<Integer> {

    @Option(names = "--to", paramLabel = "ADDRESS", required = true,
            description = "The device that jvrpc rperf agent prints: roce://10.0.0.2:7471, rdma://…, shm://…; or, with"
                + " --from, where its agent takes commands: 10.0.0.2:7480.")
    private String to;

    @Option(names = "--from", paramLabel = "HOST:PORT", split = ",",
            description = "Measure from these hosts, where agents take commands, instead of from this one.")
    private List<String> from = List.of();

    @Option(names = "--key-file", paramLabel = "FILE",
            description = "The agents' keys, a line id:hex. Not needed for agents on this host's loopback.")
    private Path keyFile;

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Option(names = "--limit-p99", paramLabel = "TIME", description = "Exit code 1 when p99 is above: 500us.")
    private String limit;

    @Option(names = "--svg", paramLabel = "FILE", description = "Write the histograms there.")
    private Path svg;

    @Option(names = "--png", paramLabel = "FILE", description = "Write the histograms there.")
    private Path png;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<LoadPattern> patterns;
        long limitNs;
        try {
            patterns = load.patterns();
            limitNs = limit == null ? Long.MAX_VALUE : Words.timeNs("--limit-p99", limit);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        if (!from.isEmpty()) {
            return drive(patterns, limitNs);
        }
        if (!to.contains("://")) {
            throw new ParameterException(spec.commandLine(),
                    "--to takes a device's address, for instance roce://10.0.0.2:7471, not '" + to + "'");
        }
        List<RperfResult> results = new ArrayList<>();
        try {
            measure(patterns, results);
            return Output.print(spec.commandLine(), results, limitNs, json, svg, png);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (VerbsException e) {
            return Output.refuse(spec.commandLine(), "run", Output.withCure(Output.words(e),
                    "jvrpc rperf agent --device ADDRESS on that host, and jvrpc doctor on both"));
        } catch (IOException e) {
            return Output.refuse(spec.commandLine(), "run", "no picture: " + e.getMessage());
        }
    }

    private int drive(List<LoadPattern> patterns, long limitNs) {
        List<Control> agents = new ArrayList<>();
        Control target;
        ProbeKeys keys;
        try {
            for (String word : from) {
                agents.add(Control.parse("--from", word));
            }
            target = to.contains("://") ? null : Control.parse("--to", to);
            List<Control> all = new ArrayList<>(agents);
            if (target != null) {
                all.add(target);
            }
            keys = Control.keys(keyFile, all);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (UncheckedIOException e) {
            return Output.refuse(spec.commandLine(), "run", e.getMessage());
        }
        try {
            DrivenRun run = new DrivenRun(keys, spec.commandLine().getErr());
            return Output.print(spec.commandLine(), run.run(agents, target == null ? to : run.device(target), load,
                    patterns), limitNs, json, svg, png);
        } catch (IOException e) {
            return Output.refuse(spec.commandLine(), "run", Output.withCure(e.getMessage(),
                    "jvrpc rperf agent --device ADDRESS --listen HOST:PORT on each host"));
        }
    }

    private void measure(List<LoadPattern> patterns, List<RperfResult> results) {
        int longest = patterns.stream().mapToInt(LoadPattern::bytes).max().orElseThrow();
        int slots = patterns.get(0).outstanding();
        try (VerbsPairs pairs = VerbsPairs.open(
                new VerbsPairs.Plan(to, load.qps(), slots, longest, !load.isBandwidth(), load.services()))) {
            for (LoadPattern pattern : patterns) {
                PairEngine engine = new PairEngine(pairs, pattern, load.warmUpNs(), load.durationNs());
                Progress progress = new Progress(spec.commandLine().getErr(), engine, pattern.bytes() + " B");
                PairLoop.run(engine, pairs, progress);
                progress.end();
                RperfResult result = load.named(engine.result(to));
                results.add(result);
                if (result.trouble() != null || !engine.isIdle()) {
                    return; // its QP is in ERR, or what it sent may end within the next one's time
                }
            }
        }
    }
}
