package org.jvrpc.tools.router.ctl.verb;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.zookeeper.ZooKeeperStore;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.TenantRecord;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One thing that an administrator does. Exit code 0: done; 1: something is left; 2: arguments; 3: it could not be. */
public abstract class CtlVerb implements Callable<Integer> {

    protected static final int FOUND = 1;
    private static final int WRONG = 2;
    private static final int FAILED = 3;

    @Mixin
    private Place place;

    @Option(names = "--json", description = "Print one object of JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    /** @throws IllegalArgumentException for what cannot be, with the values. @throws IOException when it is not done */
    protected abstract int run(ControlStore store) throws IOException, InterruptedException;

    @Override
    public Integer call() {
        try (ControlStore store = place.open()) {
            return run(store);
        } catch (IllegalArgumentException e) {
            return complain(e.getMessage(), WRONG);
        } catch (IOException e) {
            return complain(e.getMessage(), FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return complain("interrupted", FAILED);
        }
    }

    private int complain(String what, int code) {
        spec.commandLine().getErr().println("jvrpc router ctl " + spec.name() + ": " + what);
        spec.commandLine().getErr().flush();
        return code;
    }

    /** Prints one of both. @param object what {@code --json} wants */
    protected void say(String text, Object object) {
        spec.commandLine().getOut().println(json ? object.toString() : text);
        spec.commandLine().getOut().flush();
    }

    protected boolean isFile() {
        return place.isFile();
    }

    /** @throws IllegalArgumentException for a file, which knows only one machine */
    protected ZooKeeperStore ensemble(ControlStore store) {
        if (store instanceof ZooKeeperStore ensemble) {
            return ensemble;
        }
        throw new IllegalArgumentException("a file knows one host alone: this is for --control zk://...");
    }

    /** @throws IllegalArgumentException when one of the hosts is not known */
    protected void requireHosts(ControlStore store, List<String> hosts) throws IOException, InterruptedException {
        List<String> known = ensemble(store).hosts();
        if (!known.containsAll(hosts)) {
            throw new IllegalArgumentException("hosts=" + hosts + ", known are " + known);
        }
    }

    protected static TenantRecord tenant(ControlState state, TenantId id) {
        TenantRecord tenant = state.tenants().get(id);
        if (tenant == null) {
            throw new IllegalArgumentException("tenant=" + id + " is not there");
        }
        return tenant;
    }

    /** Returns where an address lives, for people. */
    protected static String where(Home home) {
        return home == null || home.host().isEmpty() ? "nowhere" : home.host() + " " + home.state() + " epoch "
                + home.epoch();
    }
}
