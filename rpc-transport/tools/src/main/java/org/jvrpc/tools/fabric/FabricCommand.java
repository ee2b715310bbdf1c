package org.jvrpc.tools.fabric;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc fabric}. */
@Command(name = "fabric", subcommands = {ListCommand.class, RunCommand.class, ReplayCommand.class,
    SearchCommand.class},
        description = "A RoCEv2 network in one process, by simulated time and seeds.")
public final class FabricCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
