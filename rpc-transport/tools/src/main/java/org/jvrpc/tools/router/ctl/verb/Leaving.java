package org.jvrpc.tools.router.ctl.verb;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.map.Home;
import picocli.CommandLine.Option;

/** Has hosts let go of addresses, and waits for it. */
public final class Leaving {

    private static final int MOST_SECONDS = 3600;
    private static final long LOOK_MS = 50;

    @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "10",
            description = "How long to wait for the host to let go; by default ${DEFAULT-VALUE}.")
    private int seconds;

    /** Returns the addresses that are still where they were. */
    public List<VirtualAddress> leave(ControlStore store, String what, List<VirtualAddress> addresses)
            throws IOException, InterruptedException {
        if (seconds < 0 || seconds > MOST_SECONDS) {
            throw new IllegalArgumentException("wait=" + seconds + ", range 0 to " + MOST_SECONDS);
        }
        store.change(what + " addresses=" + addresses, state -> {
            ControlState now = state;
            for (VirtualAddress address : addresses) {
                now = Edits.move(address).apply(now);
            }
            return now;
        });
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<VirtualAddress> left = left(store, addresses);
        while (!left.isEmpty() && System.nanoTime() - endNs < 0) {
            Thread.sleep(LOOK_MS);
            left = left(store, addresses);
        }
        return left;
    }

    private static List<VirtualAddress> left(ControlStore store, List<VirtualAddress> addresses)
            throws IOException, InterruptedException {
        ControlState state = store.read();
        List<VirtualAddress> left = new ArrayList<>(addresses);
        left.removeIf(address -> {
            Home home = state.homes().get(address);
            return home == null || home.state() != Home.State.MOVING;
        });
        return left;
    }
}
