package org.jvrpc.tools.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jvrpc.fabric.experiment.Experiments;
import org.jvrpc.fabric.experiment.Run;
import org.jvrpc.fabric.trace.Watcher;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jvrpc fabric run}: prints what came of runs, and writes what they look like. */
@Command(name = "run",
        description = {"Runs what is named and prints what came of it; the same seed gives the same frames.",
            "A name stands for itself and for all that begin with it and a hyphen; jvrpc fabric list has them."})
final class RunCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "What to run.")
    private List<String> names;

    @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--out", paramLabel = "DIR",
            description = "Write index.html, which needs no server, and pictures: to DIR, or, of several runs, to a"
                    + " folder of each in it. DIR is made, or is empty, or was written by this command.")
    private Path folder;

    @Option(names = "--capture",
            description = "Write packets.pcap, too, with mode 0600: what hosts send, and pauses. Frames bear payloads"
                    + " then, and ICRCs.")
    private boolean capture;

    @Option(names = "--capture-frames", paramLabel = "N", defaultValue = "200000",
            description = "End the capture after so many frames. Default: ${DEFAULT-VALUE}.")
    private long captureFrames;

    @Option(names = "--samples", paramLabel = "N", defaultValue = "1000",
            description = "How often the page and pictures look at a run, 2 to 10000. Default: ${DEFAULT-VALUE}.")
    private int samples;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (samples < 2 || samples > 10_000) {
            throw new ParameterException(spec.commandLine(), "--samples=" + samples + " is not within 2 to 10000");
        }
        if (captureFrames < 1) {
            throw new ParameterException(spec.commandLine(), "--capture-frames=" + captureFrames + " is below 1");
        }
        if (capture && folder == null) {
            throw new ParameterException(spec.commandLine(), "--capture goes with --out DIR");
        }
        List<Run> runs = Experiments.all().stream()
                .filter(run -> names.stream().anyMatch(run::isMeantBy)).toList();
        for (String name : names) {
            if (runs.stream().noneMatch(run -> run.isMeantBy(name))) {
                throw new ParameterException(spec.commandLine(),
                        "no run is named '" + name + "'; jvrpc fabric list prints those there are");
            }
        }
        try {
            for (Run run : runs) {
                run(run, runs.size() == 1 ? folder : folder == null ? null : folder.resolve(run.name()));
            }
        } catch (IOException | UncheckedIOException e) {
            Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
            spec.commandLine().getErr().println("jvrpc fabric run: " + OutputFolder.words(cause));
            return 1;
        }
        return 0;
    }

    private void run(Run run, Path to) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        long beginNs = System.nanoTime();
        if (to == null) {
            out.println(run.name() + " seed=" + seed + " " + run.body().run(seed, Watcher.NOBODY));
        } else {
            OutputFolder files = OutputFolder.open(to);
            try (Camera camera = new Camera(files, samples, capture ? captureFrames : 0)) {
                Object result = run.body().run(seed, camera);
                out.println(run.name() + " seed=" + seed + " " + result);
                camera.develop(run.name() + ", seed " + seed, run.about() + ". " + result);
            }
            files.written().forEach(file -> out.println("  " + file));
        }
        out.printf(Locale.ROOT, "  %.1f s%n", (System.nanoTime() - beginNs) * 1e-9);
        out.flush();
    }
}
