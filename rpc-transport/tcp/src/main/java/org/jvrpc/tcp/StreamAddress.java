package org.jvrpc.tcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a stream leads.
 *
 * @param text as it was given
 * @param host a name or an address, IPv6 in brackets
 * @param port 0 for any, where a server listens
 */
record StreamAddress(String text, String host, int port) {

    private static final Pattern TCP = Pattern.compile("tcp://(\\[[0-9a-fA-F:.%\\w]+]|[\\w.-]+):(\\d{1,5})");
    private static final int MAX_PORT = 0xffff;

    /** @throws IllegalArgumentException which has the text */
    static StreamAddress parse(String text) {
        Matcher parts = TCP.matcher(text);
        int port = parts.matches() ? Integer.parseInt(parts.group(2)) : MAX_PORT + 1;
        if (port > MAX_PORT) {
            throw new IllegalArgumentException("address=" + text
                    + " is not tcp://host:port, with a port up to 65535 and IPv6 addresses in brackets");
        }
        return new StreamAddress(text, parts.group(1), port);
    }

    /** Returns the addresses of the host. */
    InetAddress[] resolve() throws UnknownHostException {
        return InetAddress.getAllByName(host);
    }

    /** Returns the same with a port that was taken. */
    String with(int taken) {
        return "tcp://" + host + ":" + taken;
    }

    /** Returns one of its socket addresses. */
    InetSocketAddress at(InetAddress address) {
        return new InetSocketAddress(address, port);
    }
}
