package org.jvrpc.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A host that rxe is not on, as a network name space: a process there may take UDP port 4791, which the first name
 * space's rxe has. A wire joins it to a device of rxe, so that packets of both are seen as those of two hosts. Only in
 * the virtual machine of {@code .ci/rdma-vm}, as root; there it stays until the machine ends. One thread.
 */
public final class RemoteHost implements AutoCloseable {

    private static final int MOST_GIDS = 16;

    private final int pair;

    private RemoteHost(int pair) {
        this.pair = pair;
    }

    /** Makes that of a pair of network devices, 1 to 99, or skips the test with the reason. */
    public static RemoteHost make(int pair) {
        return make(pair, "remote", "");
    }

    /** Makes one whose wire has a gap, for a test that passes frames on: between wv(2N) and wv(2N + 1). */
    public static RemoteHost makeApart(int pair) {
        return make(pair, "remote", "apart");
    }

    /** Makes a pair of devices of rxe, both in the first name space, with such a gap between them. */
    public static void makeRxeApart(int pair) {
        make(pair, "add", "apart");
    }

    private static RemoteHost make(int pair, String what, String gap) {
        assumeTrue("1".equals(System.getenv("JVRPC_VM")),
                "makes network devices: only in the virtual machine, .ci/rdma-vm");
        assumeTrue("root".equals(System.getProperty("user.name")), "makes network devices: only root may");
        RemoteHost host = new RemoteHost(pair);
        if (!Files.exists(Path.of("/sys/class/infiniband", host.rxeName()))) {
            Path folder = Path.of(System.getProperty("jvrpc.root", "")).toAbsolutePath();
            while (folder != null && !Files.exists(folder.resolve(".ci/vm/network"))) {
                folder = folder.getParent();
            }
            assumeTrue(folder != null, "no .ci/vm/network above the working directory: set -Djvrpc.root");
            run("bash", folder.resolve(".ci/vm/network").toString(), what, Integer.toString(pair), gap);
        }
        return host;
    }

    private static void run(String... command) {
        assertEquals(0, Processes.run(command), () -> "exit status of " + String.join(" ", command));
    }

    private String space() {
        return "remote" + pair;
    }

    /** Returns this host's address. */
    public String address(boolean ipv6) {
        return ipv6 ? "fd09:" + pair + "::2" : "10.9." + pair + ".2";
    }

    /** Returns the address of the device of rxe. */
    public String rxeAddress(boolean ipv6) {
        return ipv6 ? "fd09:" + pair + "::1" : "10.9." + pair + ".1";
    }

    /** Returns the name of the device of rxe. */
    public String rxeName() {
        return "rxe" + 2 * pair;
    }

    /** Returns the index of the GID that the device of rxe has for its address. */
    public int rxeGid(boolean ipv6) throws IOException {
        String begin = ipv6 ? "fd09:" : "0000:0000:0000:0000:0000:ffff:";
        for (int index = 0; index < MOST_GIDS; index++) {
            Path gid = Path.of("/sys/class/infiniband", rxeName(), "ports/1/gids", Integer.toString(index));
            if (Files.readString(gid).startsWith(begin)) {
                return index;
            }
        }
        throw new AssertionError(rxeName() + " has no GID that begins with " + begin);
    }

    /** Returns what runs a command on this host, for {@link JavaCommand#startedBy}. */
    public List<String> run() {
        return List.of("nsenter", "--net=/run/netns/" + space());
    }

    /** Returns what runs a command in the first name space, from any other. */
    public static List<String> runWithRxe() {
        return List.of("nsenter", "--net=/proc/1/ns/net");
    }

    private List<String> tc(int end, String what) {
        List<String> command = new ArrayList<>(end == 0 ? runWithRxe() : run());
        command.addAll(List.of("tc", "qdisc", what, "dev", "v" + (2 * pair + end), "root"));
        return command;
    }

    /** Does to packets of both directions what netem knows, for instance {@code loss 1%}. Source: tc-netem(8). */
    public void disturb(String netem) {
        for (int end = 0; end < 2; end++) {
            List<String> command = tc(end, "replace");
            command.add("netem");
            command.addAll(List.of(netem.split(" ")));
            run(command.toArray(String[]::new));
        }
    }

    /** Ends what {@link #disturb} began. */
    public void calm() {
        for (int end = 0; end < 2; end++) {
            Processes.run(tc(end, "del").toArray(String[]::new));
        }
    }

    @Override
    public void close() {
        calm();
    }
}
