package org.jvrpc.hdfs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.jvrpc.runtime.IdleStrategy;

/** The plugin's properties. Immutable; any thread. */
final class HdfsSettings {

    /**
     * The jvRPC address that belongs to a NameNode's RPC address: {@code {host}} and {@code {port}} stand for the
     * latter, {@code {port+1000}} for another port beside it. Servers and clients must have the same.
     */
    static final String ADDRESS = "jvrpc.hdfs.address";
    static final String ADDRESS_DEFAULT = "shm://hdfs-{port}";

    /** Whether Hadoop's own transport is used where jvRPC cannot be; else that is an error. */
    static final String FALLBACK = "jvrpc.hdfs.fallback";

    /** Whether the NameNode answers light methods on its poller; else all go through the call queue. */
    static final String LIGHT = "jvrpc.hdfs.light";

    /** How the threads of the plugin wait: an {@link IdleStrategy}. */
    static final String IDLE = "jvrpc.hdfs.idle";

    private static final Pattern PORT = Pattern.compile("\\{port(?:\\+(\\d{1,5}))?}");

    private final String template;
    private final boolean fallback;
    private final boolean light;
    private final IdleStrategy idle;

    HdfsSettings(Configuration conf) {
        this.template = conf.getTrimmed(ADDRESS, ADDRESS_DEFAULT);
        this.fallback = conf.getBoolean(FALLBACK, false);
        this.light = conf.getBoolean(LIGHT, true);
        this.idle = conf.getEnum(IDLE, IdleStrategy.ADAPTIVE);
    }

    boolean fallback() {
        return fallback;
    }

    boolean light() {
        return light;
    }

    IdleStrategy idle() {
        return idle;
    }

    /** True when the address reaches only processes of one host. */
    boolean isLocal() {
        return template.startsWith("shm:");
    }

    /** Returns the jvRPC address for a NameNode's host and RPC port. @throws IOException when there is none */
    String address(String host, int port) throws IOException {
        Matcher matcher = PORT.matcher(template.replace("{host}", host));
        StringBuilder address = new StringBuilder();
        while (matcher.find()) {
            int number = port + (matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1)));
            if (number > 65535) {
                throw new IOException(ADDRESS + "=" + template + " makes port=" + number + " of port=" + port);
            }
            matcher.appendReplacement(address, Integer.toString(number));
        }
        matcher.appendTail(address);
        if (address.indexOf("{") >= 0 || address.indexOf("://") < 0) {
            throw new IOException(ADDRESS + "=" + template + " is no address: it may hold {host}, {port} and {port+N}");
        }
        return address.toString();
    }

    /** Returns true when the address is one of this host. */
    static boolean isOfThisHost(InetAddress address) {
        if (address.isAnyLocalAddress() || address.isLoopbackAddress()) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Returns the address that this host has for a server there: its own one for a server on this host. */
    static InetAddress ownAddressTowards(InetSocketAddress server) throws IOException {
        if (isOfThisHost(server.getAddress())) {
            return server.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : server.getAddress();
        }
        try (java.net.DatagramSocket socket = new java.net.DatagramSocket()) {
            socket.connect(server); // chooses the route; nothing is sent
            return socket.getLocalAddress();
        }
    }
}
