package org.jvrpc.tools.router.ctl;

import java.io.IOException;
import java.util.List;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;

/** {@code jvrpc router ctl audit}. */
@Command(name = "audit", description = "Prints who changed what, the newest 1,000 changes.")
final class AuditCommand extends CtlVerb {

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        List<String> lines = store.audit();
        say(String.join("\n", lines), JsonObject.list(lines));
        return 0;
    }
}
