package org.jvrpc.samples.zookeeper;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/**
 * Where jvRPC serves for a ZooKeeper address: a template that both sides read from the property
 * {@value #PROPERTY}, with {@code {host}} and {@code {port}} of ZooKeeper's own address in it.
 *
 * <p>By {@code roce://} a server listens at one address: a template for servers at all of theirs names it.
 *
 * <p>Shared memory reaches this host and no other, and says the host as TCP does: {@code {host}} is the numeric address
 * that a server listens at, {@value #ANY} for all of them, and a client looks for the one that it was told first.
 */
public final class JvrpcAddress {

    /** The property that holds the template. */
    public static final String PROPERTY = "jvrpc.zookeeper.address";
    /** The template where none is given: a server of this host, found by its client address. */
    public static final String DEFAULT = "shm://zookeeper-{host}-{port}";
    /** What {@code {host}} is in shared memory for a server that listens at all addresses of its host. */
    public static final String ANY = "any";

    /** The property that lets a client, by {@code tcp}, speak to servers without jvRPC by TCP. */
    public static final String FALLBACK = "jvrpc.zookeeper.fallback";
    /** The property that says how many microseconds a thread polls before it sleeps. */
    public static final String SPIN_PROPERTY = "jvrpc.zookeeper.spinMicros";
    private static final long SPIN_MICROS = 50;

    private JvrpcAddress() {
    }

    /** Returns how long a thread polls before it sleeps: both sides, as {@value #SPIN_PROPERTY} says, 50 us without. */
    public static Duration spin() {
        return Duration.ofNanos(1000 * Math.max(0, Long.getLong(SPIN_PROPERTY, SPIN_MICROS)));
    }

    /** Reads {@link #FALLBACK}. @throws IllegalArgumentException for what it may not be */
    public static boolean fallsBack(String value) {
        if (value == null || value.isBlank() || value.equals("none")) {
            return false;
        }
        if (value.equals("tcp")) {
            return true;
        }
        throw new IllegalArgumentException(FALLBACK + "=" + value + ", may be tcp or none");
    }

    /**
     * Returns where a server serves.
     *
     * @param template null for {@link #DEFAULT}
     * @param local where it listens for TCP
     * @throws IllegalArgumentException when the template has no port: all servers of a host would be one
     */
    public static String ofServer(String template, InetSocketAddress local) {
        InetAddress host = local.getAddress();
        if (isSharedMemory(template)) {
            return of(template, host.isAnyLocalAddress() ? ANY : numeric(host), local.getPort());
        }
        return of(template, host.isAnyLocalAddress() ? "0.0.0.0" : ofNetwork(host.getHostAddress()), local.getPort());
    }

    /**
     * Returns where a client finds a server: there is one at most of these.
     *
     * @param template null for {@link #DEFAULT}
     * @param server its TCP address
     * @throws ConnectException when the template is of shared memory and the server is not on this host
     * @throws UnknownHostException when nobody knows where the server is, for shared memory
     * @throws IllegalArgumentException when the template has no port
     */
    public static List<String> ofClient(String template, InetSocketAddress server)
            throws ConnectException, UnknownHostException {
        if (!isSharedMemory(template)) {
            return List.of(of(template, ofNetwork(server.getHostString()), server.getPort()));
        }
        InetAddress host = server.getAddress();
        if (host == null) {
            throw new UnknownHostException("unknown host of the ZooKeeper server: " + server);
        }
        if (!isOfThisHost(host)) {
            throw new ConnectException("the ZooKeeper server at " + server + " is not on this host, and " + PROPERTY
                    + "=" + chosen(template) + " is of shared memory: give it an rdma:// or roce:// one, or set "
                    + FALLBACK + "=tcp");
        }
        String own = of(template, numeric(host), server.getPort());
        String any = of(template, ANY, server.getPort());
        return own.equals(any) ? List.of(own) : List.of(own, any);
    }

    private static boolean isSharedMemory(String template) {
        return chosen(template).startsWith("shm:");
    }

    private static boolean isOfThisHost(InetAddress address) {
        try {
            return address.isAnyLocalAddress() || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Returns a host as it stands in front of a port. */
    private static String ofNetwork(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /** Returns an address in letters that may stand in a name; IPv6 in full, so that there is one name for each. */
    private static String numeric(InetAddress host) {
        byte[] bytes = host.getAddress();
        return bytes.length == 4 ? host.getHostAddress() : HexFormat.of().formatHex(bytes);
    }

    private static String chosen(String template) {
        return template == null || template.isBlank() ? DEFAULT : template;
    }

    private static String of(String template, String host, int port) {
        String chosen = chosen(template);
        if (!chosen.contains("{port}")) {
            throw new IllegalArgumentException(PROPERTY + "=" + chosen + " has no {port}, such as in " + DEFAULT);
        }
        return chosen.replace("{host}", host).replace("{port}", Integer.toString(port));
    }
}
