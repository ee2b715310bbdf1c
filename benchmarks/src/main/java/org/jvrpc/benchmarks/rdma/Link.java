package org.jvrpc.benchmarks.rdma;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The two devices and addresses of a run, at the two ends of a veth pair.
 *
 * @param device of RDMA
 * @param address IPv4 address of its network device
 * @param network name of its network device
 */
public record Link(String device, String address, String network) {

    /** Where servers are. */
    public static final Link SERVER = new Link("rxe1", "10.9.0.2", "v1");

    /** Where clients are. */
    public static final Link CLIENT = new Link("rxe0", "10.9.0.1", "v0");

    /** The GID of the IPv4 address, of every rxe device. */
    public static final int GID_INDEX = 1;

    private static final int CALLS_PORT = 18471;
    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    /** Returns true when both devices are there. */
    public static boolean isThere() {
        return Files.exists(DEVICES.resolve(SERVER.device)) && Files.exists(DEVICES.resolve(CLIENT.device));
    }

    /** Returns the address that an RPC server at this end takes. */
    public String calls() {
        return "rdma://" + address + ':' + CALLS_PORT;
    }

    /** Returns the address by which a client at the other end reaches it. */
    public String calls(Link client) {
        return calls() + "?from=" + client.address;
    }

    /** Returns the number of packets that its network device has sent. */
    public long packetsSent() throws IOException {
        Path file = Path.of("/sys/class/net", network, "statistics", "tx_packets");
        return Long.parseLong(Files.readString(file).trim());
    }

    /** Returns the address of the device by a driver, for verbs. @param driver {@code user} or {@code generic} */
    public String verbs(String driver) {
        return "rdma://" + address + ":0?device=" + device + "&driver=" + driver;
    }
}
