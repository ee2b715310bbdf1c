package org.jvrpc.tools;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code jvrpc completion}. */
@Command(name = "completion",
        description = {"Prints what bash and zsh complete this command by: source <(jvrpc completion)",
            "Of zsh, behind: autoload -U compinit && compinit"})
final class CompletionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    CompletionCommand() {
    }

    @Override
    public Integer call() {
        CommandLine whole = spec.root().commandLine();
        PrintWriter out = spec.commandLine().getOut();
        out.println(AutoComplete.bash(whole.getCommandName(), whole));
        out.flush();
        return 0;
    }
}
