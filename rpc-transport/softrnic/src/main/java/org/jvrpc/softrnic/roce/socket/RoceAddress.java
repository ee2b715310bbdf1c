package org.jvrpc.softrnic.roce.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.verbs.VerbsException;

/**
 * Addresses of the port: {@code roce://host:port}, with options behind a question mark.
 *
 * @param text as it was given
 * @param host name or address; IPv6 in brackets
 * @param port of the service, 0 to 65535; a server may have 0, for any
 * @param udp UDP port of both sides, or 0 when the server's is the service's, and the client's is any
 * @param from local address that a client connects from, or null
 * @param loopsInside what RC QPs of the device send to each other stays in the process, as it stays in a NIC
 */
public record RoceAddress(String text, String host, int port, int udp, String from, boolean loopsInside) {

    private static final Pattern FORM = Pattern.compile(
            "roce://(\\[[0-9A-Fa-f:.]+(?:%[0-9A-Za-z_.-]+)?]|[^/?\\[\\]:\\s\\x00]+):(\\d{1,5})(\\?.*)?");
    private static final String EXPECTED = " is not roce://host:port[?udp=PORT&from=LOCAL-ADDRESS&loopback=inside],"
            + " with ports up to 65535 and IPv6 addresses in brackets";
    private static final int MOST_PORT = 0xffff;

    /** Reads an address. @throws IllegalArgumentException when it is none */
    public static RoceAddress parse(String address) {
        Matcher matcher = FORM.matcher(address);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MOST_PORT) {
            throw new IllegalArgumentException("address=" + address + EXPECTED);
        }
        String host = matcher.group(1);
        Map<String, String> options = options(address, matcher.group(3));
        String udp = options.remove("udp");
        String from = options.remove("from");
        String loopback = options.remove("loopback");
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("address=" + address + EXPECTED + "; unknown=" + options.keySet());
        }
        if (loopback != null && !loopback.equals("inside")) {
            throw new IllegalArgumentException("address=" + address + EXPECTED + "; loopback=" + loopback);
        }
        if (udp != null && (!udp.matches("[1-9]\\d{0,4}") || Integer.parseInt(udp) > MOST_PORT)) {
            throw new IllegalArgumentException("address=" + address + EXPECTED + "; udp=" + udp);
        }
        return new RoceAddress(address, host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                Integer.parseInt(matcher.group(2)), udp == null ? 0 : Integer.parseInt(udp), from,
                loopback != null);
    }

    private static Map<String, String> options(String address, String query) {
        Map<String, String> options = new TreeMap<>();
        if (query != null) {
            for (String option : query.substring(1).split("&")) {
                int equals = option.indexOf('=');
                if (equals < 1 || options.put(option.substring(0, equals), option.substring(equals + 1)) != null) {
                    throw new IllegalArgumentException("address=" + address + EXPECTED + "; option=" + option);
                }
            }
        }
        return options;
    }

    /** Returns the same with the port that was taken. */
    public String withPort(int taken) {
        return port == taken ? text : text.replaceFirst(":0(\\?|$)", ":" + taken + "$1");
    }

    /** Returns the local address that leads to the host, which may be this one. @throws VerbsException for none */
    public InetAddress near() {
        InetAddress there = resolve("open_device");
        if (from != null) {
            return resolve("open_device", from);
        }
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(new InetSocketAddress(there, Math.max(1, port)));
            return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        } catch (IOException e) {
            throw new VerbsException("open_device", "address=" + text + ": no way leads to "
                    + there.getHostAddress() + ": " + e.getMessage(), e);
        }
    }

    /** Looks the host up. @throws VerbsException when nobody knows it */
    public InetAddress resolve(String operation) {
        return resolve(operation, host);
    }

    /** Looks a name up. @throws VerbsException when nobody knows it */
    public InetAddress resolve(String operation, String name) {
        try {
            return InetAddress.getByName(name);
        } catch (UnknownHostException e) {
            throw new VerbsException(operation, "address=" + text + ": no host " + name + " is known", e);
        }
    }
}
