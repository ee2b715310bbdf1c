package org.jvrpc.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The main class of the command. Exit codes: 0 all went well, 1 something failed, 2 the arguments are wrong. */
@Command(name = "bench", subcommands = {
    NullRpc.class, Echo.class, RecordCall.class, Throughput.class, Idle.class, Connect.class, Codec.class,
    Kv.class, ZooKeeper.class, Hdfs.class, Isolation.class, Crash.class, Neighbours.class,
    Alloc.class, Redn.class, Svc.class, Rdma.class, Roce.class, Network.class, Soak.class, ColdStart.class,
    Streams.class, Sessions.class, Router.class, All.class
})
public final class Bench implements Runnable {

    @Option(names = {"-h", "--help"}, scope = CommandLine.ScopeType.INHERIT)
    private boolean help;

    private Bench() {
    }

    /** Runs a benchmark. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Bench());
        commandLine.setParameterExceptionHandler(Bench::refuse);
        commandLine.setExecutionStrategy(Bench::execute);
        return commandLine;
    }

    private static int execute(CommandLine.ParseResult parsed) {
        Bench bench = parsed.commandSpec().commandLine().getCommand();
        if (bench.help || !parsed.hasSubcommand()) {
            PrintWriter out = parsed.commandSpec().commandLine().getOut();
            out.print(helpText());
            out.flush();
            return bench.help ? 0 : 2;
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int refuse(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("bench: " + message(e));
        err.println("benchmarks: " + String.join(" ", commandLine().getSubcommands().keySet()));
        err.println("See benchmarks/bench --help");
        err.flush();
        return 2;
    }

    private static String message(ParameterException e) {
        boolean noSubcommand = e.getCommandLine().getParent() == null;
        if (noSubcommand && e instanceof UnmatchedArgumentException unmatched) {
            return "unknown benchmark or option: " + String.join(" ", unmatched.getUnmatched());
        }
        return e.getMessage();
    }

    static String helpText() {
        try (InputStream text = Bench.class.getResourceAsStream("help.txt")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("help.txt cannot be read", e);
        }
    }

    @Override
    public void run() {
        throw new IllegalStateException("the execution strategy prints the help instead");
    }
}
