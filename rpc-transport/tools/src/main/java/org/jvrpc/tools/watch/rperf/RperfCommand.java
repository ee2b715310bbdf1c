package org.jvrpc.tools.watch.rperf;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc rperf}. */
@Command(name = "rperf", description = {"Measures latency and bandwidth between two devices, without what end-points add.",
    "Exit code 0 when nothing was found; 1 when something was; 2 for wrong arguments; 3 when it could not be"
        + " measured."})
public final class RperfCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
