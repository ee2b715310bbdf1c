package org.jvrpc.tools.watch.counters;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc counters}. */
@Command(name = "counters", description = {"Reads the counters of devices and of ours, under the same names.",
    "Exit code 0 when nothing was found; 1 when something was; 2 for wrong arguments; 3 when it could not be"
        + " measured."})
public final class CountersCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
