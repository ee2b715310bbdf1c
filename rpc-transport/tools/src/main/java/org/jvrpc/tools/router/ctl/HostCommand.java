package org.jvrpc.tools.router.ctl;

import java.io.IOException;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl host}. */
@Command(name = "host", description = {"Makes a host known: its router may be there from now on, as the user of that"
        + " name, and have each address that all other hosts may have.",
    "The ensemble must know that user: see jvrpc router ensemble, or your ensemble's own users."})
final class HostCommand extends CtlVerb {

    @Parameters(paramLabel = "HOST")
    private String host;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        ensemble(store).addHost(host);
        say("host " + host + " is known", new JsonObject().text("host", host));
        return 0;
    }
}
