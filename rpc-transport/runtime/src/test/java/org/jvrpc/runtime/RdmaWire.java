package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.testing.Processes;

/**
 * Two RDMA devices at the ends of a wire of the test's own: of pair 2, rxe4 on v4 at 10.9.2.1 for clients, rxe5 on v5
 * at 10.9.2.2 for servers. What is done to it disturbs nobody else. Only in the virtual machine, as root. One thread.
 */
final class RdmaWire implements AutoCloseable {

    private final String script;
    private final int pair;
    private final String[] ends;

    private RdmaWire(String script, int pair) {
        this.script = script;
        this.pair = pair;
        this.ends = new String[] {"v" + 2 * pair, "v" + (2 * pair + 1)};
    }

    /** Makes a pair, 1 to 99, or skips the test with the reason. */
    static RdmaWire make(int pair) {
        assumeTrue("1".equals(System.getenv("JVRPC_VM")),
                "breaks network devices: only in the virtual machine, .ci/rdma-vm");
        assumeTrue("root".equals(System.getProperty("user.name")), "makes network devices: only root may");
        String root = System.getProperty("jvrpc.root");
        Path folder = Path.of(root != null ? root : "").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve(".ci/vm/network"))) {
            folder = folder.getParent();
        }
        assumeTrue(folder != null, "no .ci/vm/network above the working directory: set -Djvrpc.root");
        RdmaWire wire = new RdmaWire(folder.resolve(".ci/vm/network").toString(), pair);
        boolean whole = wire.exists(0) && wire.exists(1);
        if (!whole && (wire.exists(0) || wire.exists(1))) {
            wire.network("delete");
        }
        wire.network(whole ? "up" : "add");
        return wire;
    }

    private static void run(String... command) {
        assertEquals(0, Processes.run(command), () -> "exit status of " + String.join(" ", command));
    }

    private void network(String what) {
        run("bash", script, what, Integer.toString(pair));
    }

    /** Returns the name of a device: 0 is the clients', 1 the servers'. */
    String device(int end) {
        return "rxe" + (2 * pair + end);
    }

    boolean exists(int end) {
        return new File("/sys/class/infiniband/" + device(end)).exists();
    }

    /** Returns an address of a server at its end. */
    String server(int port, String driver) {
        return "rdma://10.9." + pair + ".2:" + port + "?driver=" + driver;
    }

    /** Returns where clients at the other end connect to reach a server, by the same driver. */
    String client(String serverAddress) {
        return serverAddress + "&from=10.9." + pair + ".1";
    }

    /** Does to packets of both directions what netem knows. Source: tc-netem(8). */
    void disturb(String netem) {
        for (String end : ends) {
            run("sh", "-c", "tc qdisc replace dev " + end + " root netem " + netem);
        }
    }

    /** Ends what {@link #disturb} began. */
    void calm() {
        for (String end : ends) {
            Processes.run("tc", "qdisc", "del", "dev", end, "root");
        }
    }

    /** Takes the network device of an end down; the other end loses its carrier. */
    void cut(int end) {
        run("ip", "link", "set", ends[end], "down");
    }

    /** Brings both up again. */
    void mend() {
        network("up");
    }

    /** Leaves a wire that works: it stays until the machine ends. */
    @Override
    public void close() {
        calm();
        mend();
    }
}
