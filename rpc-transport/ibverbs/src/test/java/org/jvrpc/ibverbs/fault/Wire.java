package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/**
 * Two RDMA devices at the ends of a wire of the test's own, rxe2 at 10.9.1.1 and rxe3 at 10.9.1.2: what is done to it
 * disturbs nobody else. Only in the virtual machine, as root. One thread.
 */
final class Wire implements AutoCloseable {

    /** Addresses of the two ends. */
    static final String[] HOSTS = {"10.9.1.1", "10.9.1.2"};
    private static final String PAIR = "1";
    private static final int FIRST = 2;

    private final String script;

    private Wire(String script) {
        this.script = script;
    }

    /** Makes it, or skips the test with the reason. */
    static Wire make() {
        assumeTrue("1".equals(System.getenv("JVRPC_VM")),
                "breaks network devices: only in the virtual machine, .ci/rdma-vm");
        assumeTrue("root".equals(System.getProperty("user.name")), "makes network devices: only root may");
        Wire wire = new Wire(script().toString());
        wire.network(exists(0) && exists(1) ? "up" : "add");
        return wire;
    }

    private static Path script() {
        String root = System.getProperty("jvrpc.root");
        Path folder = Path.of(root != null ? root : "").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve(".ci/vm/network"))) {
            folder = folder.getParent();
        }
        assumeTrue(folder != null, "no .ci/vm/network above the working directory: set -Djvrpc.root");
        return folder.resolve(".ci/vm/network");
    }

    private void network(String what) {
        Commands.run("bash", script, what, PAIR);
    }

    /** Returns the name of the RDMA device at an end, 0 or 1. */
    static String device(int end) {
        return "rxe" + (FIRST + end);
    }

    private static String interfaceAt(int end) {
        return "v" + (FIRST + end);
    }

    /** Opens the device at an end, 0 or 1. */
    static Device open(int end, String driver) {
        return Devices.open("rdma://" + HOSTS[end] + ":0?device=" + device(end) + "&driver=" + driver);
    }

    /** Does to packets of both directions what netem knows, for instance {@code loss 1%}. Source: tc-netem(8). */
    void disturb(String netem) {
        for (int end = 0; end < 2; end++) {
            Commands.run("sh", "-c", "tc qdisc replace dev " + interfaceAt(end) + " root netem " + netem);
        }
    }

    /** Ends what {@link #disturb} began. */
    void calm() {
        for (int end = 0; end < 2; end++) {
            Commands.run(5, "tc", "qdisc", "del", "dev", interfaceAt(end), "root");
        }
    }

    /** Takes the network device at an end down: {@code ip link set down}. */
    void cut(int end) {
        Commands.run("ip", "link", "set", interfaceAt(end), "down");
    }

    /** Brings both up again. */
    void mend() {
        network("up");
    }

    /** True when the kernel has the RDMA device at an end. */
    static boolean exists(int end) {
        return new File("/sys/class/infiniband", device(end)).exists();
    }

    /**
     * Leaves a wire that works. It stays until the machine ends: librdmacm keeps a device open that it has found once,
     * and the kernel waits for that before it lets the device go.
     */
    @Override
    public void close() {
        calm();
        mend();
    }
}
