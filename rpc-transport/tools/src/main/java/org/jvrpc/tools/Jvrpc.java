package org.jvrpc.tools;

import java.util.List;
import java.util.concurrent.Callable;
import org.jvrpc.tools.call.AdminCommand;
import org.jvrpc.tools.call.CallCommand;
import org.jvrpc.tools.call.DescribeCommand;
import org.jvrpc.tools.call.HealthCommand;
import org.jvrpc.tools.call.ListCommand;
import org.jvrpc.tools.call.RecordCommand;
import org.jvrpc.tools.call.ReplayCommand;
import org.jvrpc.tools.fabric.FabricCommand;
import org.jvrpc.tools.router.RouterCommand;
import org.jvrpc.tools.schema.DiffCommand;
import org.jvrpc.tools.top.TopCommand;
import org.jvrpc.tools.watch.counters.CountersCommand;
import org.jvrpc.tools.watch.drift.DriftCommand;
import org.jvrpc.tools.watch.pingmesh.PingmeshCommand;
import org.jvrpc.tools.watch.rperf.RperfCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code jvrpc}. Exit codes: of the subcommand; 2 for wrong arguments. */
@Command(name = "jvrpc", description = "Tools of jvRPC.", versionProvider = Jvrpc.Release.class)
public final class Jvrpc implements Callable<Integer> {

    /** As help lists them. */
    static final List<String> NAMES = List.of("doctor", "fabric", "diff", "rperf", "pingmesh", "counters", "drift",
            "router", "list", "describe", "call", "health", "admin", "top", "record", "replay", "completion");

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = CommandLine.ScopeType.INHERIT,
            description = "Print this.")
    private boolean help;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Print the version.")
    private boolean version;

    @Spec
    private CommandSpec spec;

    private Jvrpc() {
    }

    /** The version that the jar's manifest has. */
    static final class Release implements CommandLine.IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Jvrpc.class.getPackage().getImplementationVersion();
            return new String[] {"jvrpc " + (version == null ? "of a folder of classes" : version)};
        }
    }

    /** Runs, and ends this JVM: threads of a device that hangs must not keep it. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs one command and returns its exit code: for programs that run several. One thread. */
    public static int run(String... args) {
        // To make all of them takes longer than most of them run.
        boolean known = args.length > 0 && NAMES.contains(args[0]) && !args[0].equals("completion");
        return commandLine(known ? List.of(args[0]) : NAMES).execute(args);
    }

    static CommandLine commandLine() {
        return commandLine(NAMES);
    }

    private static CommandLine commandLine(List<String> names) {
        CommandLine line = new CommandLine(new Jvrpc());
        for (String name : names) {
            line.addSubcommand(name, command(name));
        }
        return line;
    }

    static Object command(String name) {
        return switch (name) {
            case "doctor" -> new DoctorCommand();
            case "fabric" -> new FabricCommand();
            case "diff" -> new DiffCommand();
            case "rperf" -> new RperfCommand();
            case "pingmesh" -> new PingmeshCommand();
            case "counters" -> new CountersCommand();
            case "drift" -> new DriftCommand();
            case "router" -> new RouterCommand();
            case "list" -> new ListCommand();
            case "describe" -> new DescribeCommand();
            case "call" -> new CallCommand();
            case "health" -> new HealthCommand();
            case "admin" -> new AdminCommand();
            case "top" -> new TopCommand();
            case "record" -> new RecordCommand();
            case "replay" -> new ReplayCommand();
            case "completion" -> new CompletionCommand();
            default -> throw new IllegalArgumentException("command=" + name + ", known are " + NAMES);
        };
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
