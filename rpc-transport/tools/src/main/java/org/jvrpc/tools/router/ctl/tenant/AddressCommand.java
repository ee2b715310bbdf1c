package org.jvrpc.tools.router.ctl.tenant;

import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import org.jvrpc.tools.router.ctl.verb.Leaving;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl address}. */
@Command(name = "address", description = {"Prints a tenant's addresses, or gives it some and takes others from it."
        + " The next device that it attaches has those that are new; an address that another tenant has is refused.",
    "Connections of an address that is taken end: its host lets go of it first, as when it moves. Exit code 1 when the"
        + " host does not in time: then nothing is taken. With --force it is taken at once, also from a host that does"
        + " not answer, which goes on by it until it knows, up to 30 s for new connections."})
public final class AddressCommand extends CtlVerb {

    @Parameters(paramLabel = "TENANT")
    private String tenant;

    @Option(names = "--add", paramLabel = "ADDRESS", split = ",", description = "Give it these, behind those it has.")
    private List<String> more = List.of();

    @Option(names = "--remove", paramLabel = "ADDRESS", split = ",", description = "Take these from it.")
    private List<String> less = List.of();

    @Option(names = "--hosts", paramLabel = "HOST", split = ",",
            description = "Hosts that alone may have those that are added; by default all.")
    private List<String> hosts;

    @Option(names = "--force", description = "Do not wait for hosts to let go.")
    private boolean force;

    @Mixin
    private Leaving leaving;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        TenantId id = new TenantId(tenant);
        List<VirtualAddress> added = more.stream().map(VirtualAddress::new).toList();
        List<VirtualAddress> taken = less.stream().map(VirtualAddress::new).toList();
        ControlState state = store.read();
        TenantRecord now = tenant(state, id);
        if (hosts != null) {
            requireHosts(store, hosts);
        }
        if (!added.isEmpty() || !taken.isEmpty()) {
            Edits.addresses(id, added, taken, true).apply(state); // what is wrong is said before anything is let go of
            if (!force && !isFile() && !letGo(store, state.living(taken))) {
                return FOUND;
            }
            String what = "addresses tenant=" + id + " add=" + added + " remove=" + taken
                    + (hosts == null ? "" : " hosts=" + hosts) + (force ? " force" : "");
            UnaryOperator<ControlState> edit = Edits.addresses(id, added, taken, force || isFile());
            state = hosts == null ? store.change(what, edit) : ensemble(store).change(what, edit, hosts);
            now = tenant(state, id);
        }
        say("tenant " + id + " has " + now.addresses() + ", epoch " + state.epoch(), new JsonObject()
                .text("tenant", id.name()).raw("addresses", JsonObject.texts(now.addresses()))
                .number("epoch", state.epoch()));
        return 0;
    }

    private boolean letGo(ControlStore store, List<Home> living) throws IOException, InterruptedException {
        List<VirtualAddress> left = living.isEmpty() ? List.of()
                : leaving.leave(store, "take from tenant=" + tenant, living.stream().map(Home::address).toList());
        if (!left.isEmpty()) {
            say("not let go of yet: " + left.stream().map(address -> address + " at " + where(living.stream()
                    .filter(home -> home.address().equals(address)).findFirst().orElseThrow())).toList(),
                    new JsonObject().text("tenant", tenant).raw("left", JsonObject.texts(left)));
        }
        return left.isEmpty();
    }
}
