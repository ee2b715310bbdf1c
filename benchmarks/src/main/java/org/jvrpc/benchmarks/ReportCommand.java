package org.jvrpc.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jvrpc.benchmarks.page.ReportPage;
import org.jvrpc.benchmarks.report.Figures;
import org.jvrpc.benchmarks.report.Machine;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The main class of {@code benchmarks/report}: a page with charts, from figures of benchmarks that ran or run now. */
@Command(name = "report", mixinStandardHelpOptions = true, description = {
    "Writes report.md and its charts to a folder, or to a page and folder of your choice.",
    "Exit codes: 0 written; 1 a benchmark failed, or a file cannot be read or written; 2 wrong arguments."})
public final class ReportCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", arity = "0..*",
            description = "Figures that benchmarks/bench … --json FILE has written.")
    private List<Path> files = List.of();

    @Option(names = "--run", paramLabel = "NAME[,NAME]", split = ",",
            description = "Benchmarks to run first, each into a file of the folder.")
    private List<String> runs = List.of();

    @Option(names = "--quick", description = "Run them for smoke only.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "WHO[,WHO]", description = "Run them with these contenders alone.")
    private String only;

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "The folder of the report.")
    private Path out;

    @Option(names = "--page", paramLabel = "FILE", description = "The page; default: DIR/report.md.")
    private Path page;

    @Option(names = "--host", paramLabel = "TEXT",
            description = "What files were measured on; default: this machine, for benchmarks that run now.")
    private String host;

    @Option(names = "--command", paramLabel = "TEXT", description = "What measured the files; once for each.")
    private List<String> commands = List.of();

    @Spec
    private CommandSpec spec;

    private ReportCommand() {
    }

    /** Writes a report. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new ReportCommand());
    }

    @Override
    public Integer call() throws IOException {
        if (files.isEmpty() && runs.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "no figures: name a FILE, or a benchmark with --run");
        }
        if (host == null && !files.isEmpty()) {
            throw new ParameterException(spec.commandLine(),
                    "--host is missing: files do not say what they were measured on, files=" + files);
        }
        Files.createDirectories(out);
        Figures figures = new Figures();
        List<String> ran = new ArrayList<>(commands);
        for (String name : runs) {
            Path file = out.resolve(name + ".json");
            List<String> arguments = arguments(name, file);
            if (Bench.commandLine().execute(arguments.toArray(String[]::new)) != 0) {
                return 1; // it has said why
            }
            ran.add("benchmarks/bench " + String.join(" ", arguments));
            figures.putAll(Figures.read(file));
        }
        for (Path file : files) {
            figures.putAll(Figures.read(file));
        }
        Path written = page == null ? out.resolve("report.md") : page;
        ReportPage.write(written, out, host == null ? Machine.describe() : host, ran, figures.values());
        spec.commandLine().getOut().println("report: " + written);
        return 0;
    }

    private List<String> arguments(String name, Path file) {
        List<String> arguments = new ArrayList<>(List.of(name));
        if (quick) {
            arguments.add("--quick");
        }
        if (only != null) {
            arguments.addAll(List.of("--only", only));
        }
        arguments.addAll(List.of("--json", file.toString()));
        return arguments;
    }
}
