package org.jvrpc.tools.router;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jvrpc.router.ctl.CtlClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jvrpc router accept-older}: has this host's router go by an older map. */
@Command(name = "accept-older",
        description = {"Has this host's router go by a map that is older than what it knows, which it refuses else: the"
                + " ensemble, or the file, was restored from a backup. To be asked of the router of each host, as what"
                + " was changed since the backup is lost.",
            "All devices of the host end, as when its router is started again, and attach again by themselves:"
                + " addresses that were claimed by the newer map are not theirs any more.",
            "Exit code 0 when it is done, with both epochs; 2 for wrong arguments; 3 when no older map is refused, it"
                + " cannot be read, there is no router, or it does not let this user ask."})
final class AcceptOlderCommand implements Callable<Integer> {

    /** Longer than a router waits for its map. */
    private static final long PATIENCE_MS = 40_000;

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
            spec.commandLine().getOut().print(CtlClient.ask(folder, json ? "accept-older json" : "accept-older",
                    PATIENCE_MS));
            spec.commandLine().getOut().flush();
            return 0;
        } catch (IOException e) {
            spec.commandLine().getErr().println("jvrpc router accept-older: " + e.getMessage());
            return 3;
        }
    }
}
