package org.jvrpc.tools;

import java.util.concurrent.Callable;
import org.jvrpc.tools.call.AdminCommand;
import org.jvrpc.tools.call.CallCommand;
import org.jvrpc.tools.call.DescribeCommand;
import org.jvrpc.tools.call.HealthCommand;
import org.jvrpc.tools.call.ListCommand;
import org.jvrpc.tools.fabric.FabricCommand;
import org.jvrpc.tools.router.RouterCommand;
import org.jvrpc.tools.schema.DiffCommand;
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
@Command(name = "jvrpc", subcommands = {DoctorCommand.class, FabricCommand.class, DiffCommand.class,
    RperfCommand.class, PingmeshCommand.class, CountersCommand.class, DriftCommand.class,
    RouterCommand.class, ListCommand.class, DescribeCommand.class, CallCommand.class, HealthCommand.class,
    AdminCommand.class, CompletionCommand.class},
        description = "Tools of jvRPC.")
public final class Jvrpc implements Callable<Integer> {

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = CommandLine.ScopeType.INHERIT,
            description = "Print this.")
    private boolean help;

    @Spec
    private CommandSpec spec;

    private Jvrpc() {
    }

    /** Runs, and ends this JVM: threads of a device that hangs must not keep it. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs one command and returns its exit code: for programs that run several. One thread. */
    public static int run(String... args) {
        return commandLine().execute(args);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Jvrpc());
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
