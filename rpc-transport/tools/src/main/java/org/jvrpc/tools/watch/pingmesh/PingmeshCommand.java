package org.jvrpc.tools.watch.pingmesh;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc pingmesh}. */
@Command(name = "pingmesh", subcommands = {AgentCommand.class, FabricMeshCommand.class,
    CollectorCommand.class, TraceCommand.class, SimulateAgentsCommand.class},
        description = {"Probes all pairs of hosts, shows what they meet, and says who is to blame.",
            "Exit code 0 when nothing was found; 1 when something was; 2 for wrong arguments; 3 when it could not be"
                + " measured."})
public final class PingmeshCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
