package org.jvrpc.tools.router.ctl;

import java.io.IOException;
import java.util.List;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.map.Home;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import org.jvrpc.tools.router.ctl.verb.Leaving;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl drain}. */
@Command(name = "drain", description = {"Has a host cut off all addresses that live there, so that they can live at"
        + " other ones. To keep others from coming use jvrpc router drain on that host, first.",
    "Exit code 1 when the host does not let go of all in time."})
final class DrainHostCommand extends CtlVerb {

    @Parameters(paramLabel = "HOST")
    private String host;

    @Mixin
    private Leaving leaving;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        if (!ensemble(store).hosts().contains(host)) {
            throw new IllegalArgumentException("host=" + host + ", known are " + ensemble(store).hosts());
        }
        List<VirtualAddress> all = store.read().homes().values().stream()
                .filter(home -> home.host().equals(host) && home.state() != Home.State.GONE).map(Home::address)
                .toList();
        List<VirtualAddress> left = all.isEmpty() ? all : leaving.leave(store, "drain host=" + host, all);
        say(left.isEmpty() ? "no address lives at " + host + ", " + all.size() + " did" : "still there: " + left,
                new JsonObject().text("host", host).number("addresses", all.size())
                .raw("left", JsonObject.texts(left)));
        return left.isEmpty() ? 0 : FOUND;
    }
}
