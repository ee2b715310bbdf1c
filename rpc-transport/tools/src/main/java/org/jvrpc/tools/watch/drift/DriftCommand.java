package org.jvrpc.tools.watch.drift;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc drift}. */
@Command(name = "drift", description = {"Says where hosts and switches differ from the configuration that is wanted.",
    "Exit code 0 when nothing was found; 1 when something was; 2 for wrong arguments; 3 when it could not be"
        + " measured."})
public final class DriftCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
