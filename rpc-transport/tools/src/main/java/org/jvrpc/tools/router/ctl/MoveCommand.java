package org.jvrpc.tools.router.ctl;

import java.io.IOException;
import java.util.List;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import org.jvrpc.tools.router.ctl.verb.Leaving;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl move}. */
@Command(name = "move", description = {"Has the host of an address cut it off, so that it can live at another one: the"
        + " container that comes next with it, at whatever host, has it.",
    "Exit code 1 when the host does not let go of it in time."})
final class MoveCommand extends CtlVerb {

    @Parameters(paramLabel = "ADDRESS")
    private String address;

    @Mixin
    private Leaving leaving;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        VirtualAddress one = new VirtualAddress(address);
        ensemble(store);
        boolean free = leaving.leave(store, "move", List.of(one)).isEmpty();
        say(free ? "address " + one + " is free" : "address " + one + " is not let go of yet: "
                + where(store.read().homes().get(one)), new JsonObject().text("address", one.text())
                .flag("free", free));
        return free ? 0 : FOUND;
    }
}
