package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Two RDMA devices at the ends of a wire of the test's own: rxe4 at 10.9.2.1 for clients, rxe5 at 10.9.2.2 for servers.
 * What is done to it disturbs nobody else. Only in the virtual machine, as root. One thread.
 */
final class RdmaWire implements AutoCloseable {

    private static final String PAIR = "2";
    private static final String[] ENDS = {"v4", "v5"};

    private final String script;

    private RdmaWire(String script) {
        this.script = script;
    }

    /** Makes it, or skips the test with the reason. */
    static RdmaWire make() {
        assumeTrue("1".equals(System.getenv("JVRPC_VM")),
                "breaks network devices: only in the virtual machine, .ci/rdma-vm");
        assumeTrue("root".equals(System.getProperty("user.name")), "makes network devices: only root may");
        String root = System.getProperty("jvrpc.root");
        Path folder = Path.of(root != null ? root : "").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve(".ci/vm/network"))) {
            folder = folder.getParent();
        }
        assumeTrue(folder != null, "no .ci/vm/network above the working directory: set -Djvrpc.root");
        RdmaWire wire = new RdmaWire(folder.resolve(".ci/vm/network").toString());
        wire.network(new File("/sys/class/infiniband/rxe5").exists() ? "up" : "add");
        return wire;
    }

    private static void run(String... command) {
        assertEquals(0, ChildJvm.run(command), () -> "exit status of " + String.join(" ", command));
    }

    private void network(String what) {
        run("bash", script, what, PAIR);
    }

    /** Returns an address of a server at its end. */
    static String server(int port, String driver) {
        return "rdma://10.9.2.2:" + port + "?driver=" + driver;
    }

    /** Returns where clients at the other end connect to reach a server, by the same driver. */
    static String client(String serverAddress) {
        return serverAddress + "&from=10.9.2.1";
    }

    /** Does to packets of both directions what netem knows. Source: tc-netem(8). */
    void disturb(String netem) {
        for (String end : ENDS) {
            run("sh", "-c", "tc qdisc replace dev " + end + " root netem " + netem);
        }
    }

    /** Ends what {@link #disturb} began. */
    void calm() {
        for (String end : ENDS) {
            ChildJvm.run("tc", "qdisc", "del", "dev", end, "root");
        }
    }

    /**
     * Leaves a wire that works. It stays until the machine ends: librdmacm keeps a device open that it has found once,
     * and the kernel waits for that before it lets the device go.
     */
    @Override
    public void close() {
        calm();
    }
}
