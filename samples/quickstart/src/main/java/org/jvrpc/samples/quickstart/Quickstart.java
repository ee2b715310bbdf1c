package org.jvrpc.samples.quickstart;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jvrpc.api.RpcException;
import org.jvrpc.samples.quickstart.cluster.ClusterCommand;
import org.jvrpc.verbs.VerbsException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command: without a word it starts a server in a process of its own and is the client of it. Exit codes: 0 all
 * went well, 1 a call failed, an answer was wrong or there was no server, 2 the arguments are wrong.
 */
@Command(name = "run", subcommands = {ServerCommand.class, ClientCommand.class, ClusterCommand.class})
public final class Quickstart implements Callable<Integer> {

    @Option(names = {"-h", "--help"}, scope = CommandLine.ScopeType.INHERIT)
    private boolean help;

    @Mixin
    private Options.Both options;

    @Mixin
    private Options.Client client;

    private Quickstart() {
    }

    /** Runs. */
    public static void main(String[] args) {
        String complaint = AotCache.complaint();
        if (complaint != null) {
            System.err.println(complaint);
        }
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Quickstart());
        commandLine.setExecutionStrategy(Quickstart::execute);
        commandLine.setParameterExceptionHandler(Quickstart::refuse);
        commandLine.setExecutionExceptionHandler(Quickstart::failed);
        return commandLine;
    }

    private static int execute(ParseResult parsed) {
        Quickstart quickstart = parsed.commandSpec().commandLine().getCommand();
        if (quickstart.help) {
            PrintWriter out = parsed.commandSpec().commandLine().getOut();
            out.print(helpText());
            out.flush();
            return 0;
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int refuse(ParameterException e, String[] args) {
        String message = e instanceof UnmatchedArgumentException unmatched
                ? "unknown here: " + String.join(" ", unmatched.getUnmatched()) : e.getMessage();
        return say(e.getCommandLine(), message + "\nSee samples/quickstart/run --help", 2);
    }

    /** What the runtime reports is for people to read; anything else is a defect and shows where it came from. */
    private static int failed(Exception e, CommandLine commandLine, ParseResult parsed) throws Exception {
        if (e instanceof ServerProcess.NotStartedException notStarted) {
            return notStarted.exitCode();
        }
        if (e instanceof IllegalArgumentException) {
            return say(commandLine, e.getMessage(), 2);
        }
        if (e instanceof RpcException || e instanceof VerbsException || e instanceof IOException) {
            return say(commandLine, e.getMessage(), 1);
        }
        throw e;
    }

    private static int say(CommandLine commandLine, String message, int exitCode) {
        commandLine.getErr().println("quickstart: " + message);
        commandLine.getErr().flush();
        return exitCode;
    }

    private static String helpText() {
        try (InputStream text = Quickstart.class.getResourceAsStream("help.txt")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("help.txt cannot be read", e);
        }
    }

    /** Both halves, at an address where nobody else is. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Interruptible run = new Interruptible();
             OwnCertificate certificate = OwnCertificate.forAddress(options.address());
             ServerProcess server = ServerProcess.start(certificate.forServer(), options.idle())) {
            String address = certificate.forClient(server.address());
            System.out.printf("Server: process %d at %s. Client: process %d, %d thread%s, idle strategy %s.%n",
                    server.pid(), address, ProcessHandle.current().pid(), client.threads(),
                    client.threads() == 1 ? "" : "s", Options.nameOf(options.idle()));
            ClientRun.Result result = run.client().run(
                    address, options.idle(), client.threads(), client.seconds(), server::ended);
            String ended = server.ended();
            if (ended != null) {
                System.err.println("quickstart: " + ended);
            }
            return ended == null && result.isClean() ? 0 : 1;
        }
    }
}
