package org.jvrpc.tools.watch.rperf;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc rperf}. */
@Command(name = "rperf", subcommands = {RunCommand.class, AgentCommand.class, RperfFabricCommand.class,
    ExperimentsCommand.class},
        description = {"Measures latency and bandwidth between two devices, without what the end-points add: a SEND"
                + " over the wire and one by loopback are posted together, and RTT = T_wire - T_loopback.",
            "Exit code 0 when it was measured; 1 when something was found: losses, an early end, a limit passed;"
                + " 2 for wrong arguments; 3 when it could not be measured."})
public final class RperfCommand implements Callable<Integer> {

    /** It was measured. */
    static final int MEASURED = 0;
    static final int FOUND = 1;
    static final int NOT_MEASURED = 3;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
