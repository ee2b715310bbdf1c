package org.jvrpc.tools.router;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jvrpc.router.ctl.CtlClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jvrpc router show}: what this host's router is at. */
@Command(name = "show",
        description = {"Prints what this host's router and its tenants are at.",
            "MEMORY is what a tenant's slabs have of what they may; MOVED is what it sent, wrote and read, since the"
                + " router began; BYTES/S and WQES/S are of the last second.",
            "Exit code 0; 2 for wrong arguments; 3 when there is no router, or it does not let this user ask."})
final class ShowCommand implements Callable<Integer> {

    private static final long PATIENCE_MS = 20_000;

    @Option(names = "--dir", paramLabel = "DIR", defaultValue = RouterCommand.FOLDER,
            description = "The router's folder; by default ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(names = "--json", description = "Print one object of JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            spec.commandLine().getOut().print(CtlClient.ask(folder, json ? "show json" : "show", PATIENCE_MS));
            spec.commandLine().getOut().flush();
            return 0;
        } catch (IOException e) {
            spec.commandLine().getErr().println("jvrpc router show: " + e.getMessage());
            return 3;
        }
    }
}
