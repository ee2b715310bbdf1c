package org.jvrpc.tools.router;

import java.util.concurrent.Callable;
import org.jvrpc.tools.router.ctl.CtlCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Virtual RNICs of tenants. */
@Command(name = "router", subcommands = {RunCommand.class, ShowCommand.class, DrainCommand.class,
    AcceptOlderCommand.class, CtlCommand.class, EnsembleCommand.class},
        description = "Virtual RNICs for containers: one router a host.")
public final class RouterCommand implements Callable<Integer> {

    /** Where a router is, unless another place is named. */
    static final String FOLDER = "/run/jvrpc";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
