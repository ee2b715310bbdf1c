package org.jvrpc.tools.router.ctl;

import java.io.IOException;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.control.file.FileStore;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;

/** {@code jvrpc router ctl init}. */
@Command(name = "init", description = "Makes a cluster, or a file, where there is none.")
final class InitCommand extends CtlVerb {

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        boolean made = store instanceof FileStore file ? file.init() : ensemble(store).init();
        say(made ? "made" : "it is there already", new JsonObject().flag("made", made));
        return 0;
    }
}
