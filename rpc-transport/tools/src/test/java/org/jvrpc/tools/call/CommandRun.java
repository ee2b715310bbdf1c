package org.jvrpc.tools.call;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** What a command printed, and its exit code. */
record CommandRun(int code, String out, String err) {

    /**
     * Runs one.
     *
     * @param more further arguments; {@code --stdin TEXT} is what the standard input has
     */
    static CommandRun of(String command, List<String> arguments, String... more) {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(more));
        int stdin = all.indexOf("--stdin");
        String text = stdin < 0 ? "" : all.get(stdin + 1);
        if (stdin >= 0) {
            all.subList(stdin, stdin + 2).clear();
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        RemoteCommand made = switch (command) {
            case "list" -> new ListCommand();
            case "describe" -> new DescribeCommand();
            case "call" -> new CallCommand(RemoteCommandsTest.input(text));
            case "health" -> new HealthCommand();
            default -> new AdminCommand();
        };
        int code = new CommandLine(made).setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        return new CommandRun(code, out.toString(), err.toString());
    }
}
