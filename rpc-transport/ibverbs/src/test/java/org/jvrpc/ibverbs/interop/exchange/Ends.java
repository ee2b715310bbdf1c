package org.jvrpc.ibverbs.interop.exchange;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.ibverbs.core.RdmaEndpoint;
import org.jvrpc.testing.RemoteHost;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.QueuePair;

/**
 * The two ends: Java's and the C tools'. Java has rxe0 and the tools rxe1, but in a JVM that {@code RoceInteropTest}
 * starts: there Java has a software RNIC over UDP, in a network name space that rxe is not in, and the tools run in the
 * first one.
 */
public final class Ends {

    /** Prefix of the properties that set what follows. */
    public static final String PROPERTY = "jvrpc.interop.";
    /** Where Java's device is, when it is a software RNIC. */
    private static final String ROCE = System.getProperty(PROPERTY + "roce");
    /** Java's address for TCP. */
    public static final String HOST = System.getProperty(PROPERTY + "host", "10.9.0.1");
    /** The tools' address for TCP. */
    public static final String PEER_HOST = System.getProperty(PROPERTY + "peerHost", "10.9.0.2");
    /** The tools' device. */
    public static final String PEER_NAME = System.getProperty(PROPERTY + "peerName", "rxe1");
    /** Index of the GID that the tools are to use. */
    public static final String PEER_GID = System.getProperty(PROPERTY + "peerGid", "1");
    /** Where Java's device is. */
    public static final String ADDRESS = ROCE == null ? HOST : ROCE;
    /** Where the tools' device is. */
    public static final String PEER_ADDRESS = System.getProperty(PROPERTY + "peerAddress", PEER_HOST);
    /** READs and atomics of the peer that a QP of Java takes at a time. */
    public static final int READS = ROCE == null ? 1 : 16;

    private static final String DRIVER = "roce";
    private static final int ROCE_VERSION = 1;
    private static final int ROCE_PORT = 4791;
    private static final int ROCE_HEAD = 14;

    private Ends() {
    }

    /** Returns the drivers of Java's device that are tested. */
    public static List<String> drivers() {
        return ROCE == null ? List.of("generic", "user") : List.of(DRIVER);
    }

    /** Returns each driver with each of some numbers. */
    public static Stream<Object[]> drivers(Object... with) {
        return drivers().stream().flatMap(driver -> Stream.of(with).map(each -> new Object[] {driver, each}));
    }

    private static String bracketed(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }

    public static Device open(String driver) {
        return Devices.open(ROCE != null ? near(0) : "rdma://" + HOST + ":0?device=rxe0&gid=1&driver=" + driver);
    }

    /** Returns Java's address with a port. */
    public static String near(int port) {
        return ROCE == null ? "rdma://" + HOST + ":" + port
                : "roce://" + bracketed(ROCE) + ":" + port + "?udp=" + ROCE_PORT;
    }

    /** Returns how Java connects to the tools' address. */
    public static String far(int port) {
        return ROCE == null ? "rdma://" + PEER_HOST + ":" + port + "?from=" + HOST
                : "roce://" + bracketed(PEER_ADDRESS) + ":" + port + "?udp=" + ROCE_PORT;
    }

    /** Returns a command that runs where the tools run. */
    public static List<String> command(List<String> tool) {
        return ROCE == null ? tool
                : Stream.concat(RemoteHost.runWithRxe().stream(), tool.stream()).toList();
    }

    /** What a QP's endpoint says, whichever device it is of. */
    public record End(int lid, int qpn, int psn, Gid gid) {

        public static End of(QueuePair qp) {
            if (ROCE == null) {
                RdmaEndpoint endpoint = RdmaEndpoint.decode(qp.endpoint());
                return new End(endpoint.lid(), endpoint.qpn(), endpoint.psn(), endpoint.gid());
            }
            ByteBuffer in = ByteBuffer.wrap(qp.endpoint());
            byte[] gid = new byte[Gid.BYTES];
            byte[] address = Arrays.copyOfRange(in.array(), ROCE_HEAD, in.capacity());
            System.arraycopy(address, 0, gid, Gid.BYTES - address.length, address.length);
            if (address.length == 4) {
                gid[10] = -1;
                gid[11] = -1;
            }
            return new End(0, in.getInt(4), in.getInt(8), new Gid(gid));
        }

        /** Returns what {@link QueuePair#connect} takes. @param mtu code of the path MTU */
        public byte[] encode(int mtu) {
            if (ROCE == null) {
                return new RdmaEndpoint(gid, lid, mtu, qpn, psn).encode();
            }
            byte[] address = host().getAddress();
            return ByteBuffer.allocate(ROCE_HEAD + address.length).put((byte) ROCE_VERSION).put((byte) address.length)
                    .putShort((short) ROCE_PORT).putInt(qpn).putInt(psn).putShort((short) (128 << mtu)).put(address)
                    .array();
        }

        private InetAddress host() {
            try {
                return gid.isIpv4() ? gid.ipv4() : InetAddress.getByAddress(gid.bytes());
            } catch (UnknownHostException e) {
                throw new AssertionError(gid.toString(), e);
            }
        }
    }
}
