package org.jvrpc.offload.hull;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/**
 * The command: owns memory, queues and keys of lookups, and runs the application as its child. Source of the idea:
 * RedN, section 5.6.
 */
public final class Hull implements AutoCloseable {

    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final ChildKeeper keeper;
    private boolean closed;

    private Hull(HullOptions options) throws IOException {
        try {
            Device device = keep(Devices.open(options.address()));
            MemoryRegion data = device.allocatePd().allocate(
                    options.bytes(), Access.LOCAL_WRITE | Access.REMOTE_READ);
            OffloadHost host = keep(new OffloadHost(device, options.address()));
            HullDesk desk = new HullDesk(host, data);
            ControlPort port = keep(ControlPort.open(options.control(), desk));
            System.err.println("hull: address=" + options.address() + " bytes=" + data.length() + " control="
                    + port.path() + ", process " + ProcessHandle.current().pid());
            keeper = new ChildKeeper(
                    ChildKeeper.of(options.command(), Map.of(HullClient.VARIABLE, port.path().toString())),
                    new RestartPolicy(options.quickDeaths(), options.quickMs() * 1_000_000),
                    options.stopMs() * 1_000_000, desk::nextGeneration);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private <P extends AutoCloseable> P keep(P part) {
        parts.push(part);
        return part;
    }

    /** Runs. The exit status is the application's, 2 for a bad command line, 1 when there is no memory or address. */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(args));
    }

    /** Returns the exit status of a hull that was told this. */
    static int run(String... args) throws InterruptedException {
        if (args.length > 0 && (args[0].equals("-h") || args[0].equals("--help"))) {
            System.out.print(HullOptions.USAGE);
            return 0;
        }
        HullOptions options;
        try {
            options = HullOptions.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("hull: " + e.getMessage());
            System.err.print(HullOptions.USAGE);
            return USAGE;
        }
        try (Hull hull = new Hull(options)) {
            Runtime.getRuntime().addShutdownHook(new Thread(hull::shutDown, "jvrpc-hull-shutdown"));
            return hull.keeper.run();
        } catch (IOException | VerbsException | IllegalArgumentException e) {
            System.err.println("hull: " + e.getMessage());
            return FAILED;
        }
    }

    private void shutDown() {
        keeper.stop();
        close();
    }

    /** Ends lookups and gives the memory back. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                System.err.println("hull: closing " + part.getClass().getSimpleName() + ": " + e);
            }
        }
    }
}
