package org.jvrpc.runtime.channel.lookup;

import java.net.InetAddress;
import org.jvrpc.runtime.resolve.ServerEntry;

/**
 * A host by its name, and a port, where each address of the host is a server.
 *
 * @param host as it is looked up
 * @param port 1 to 65535
 * @param scheme of the addresses, tcp or tls
 * @param options that stand behind each address, or empty
 */
record DnsName(String host, int port, String scheme, String options) {

    private static final int MAX_PORT = 65_535;

    /** @throws IllegalArgumentException which has the text */
    static DnsName parse(String text) {
        String scheme = text.startsWith("dns+tls://") ? "tls" : "tcp";
        int mark = text.indexOf('?');
        String place = (mark < 0 ? text : text.substring(0, mark)).substring(text.indexOf("://") + 3);
        String options = mark < 0 ? "" : text.substring(mark + 1);
        int colon = place.lastIndexOf(':');
        String host = colon < 1 ? "" : place.substring(0, colon);
        int port = colon < 1 ? 0 : port(place.substring(colon + 1));
        boolean ok = host.matches("[A-Za-z0-9]([A-Za-z0-9._-]{0,252})") && port > 0
                && (options.isEmpty() ? mark < 0 : scheme.equals("tls") && !options.matches("(.*&)?name=.*"));
        if (!ok) {
            throw new IllegalArgumentException("target=" + text + " is not dns://host:port or"
                    + " dns+tls://host:port?option=value, with a port from 1 to " + MAX_PORT);
        }
        return new DnsName(host, port, scheme, options);
    }

    private static int port(String digits) {
        if (!digits.matches("[0-9]{1,5}")) {
            return 0;
        }
        int port = Integer.parseInt(digits);
        return port <= MAX_PORT ? port : 0;
    }

    /** Returns one of its addresses as a server. By TLS, the certificate is to be the host's, not the address's. */
    ServerEntry server(InetAddress address) {
        String literal = address.getHostAddress().replaceFirst("%.*", "");
        String place = (literal.contains(":") ? "[" + literal + "]" : literal) + ":" + port;
        String behind = scheme.equals("tls") ? "?" + (options.isEmpty() ? "" : options + "&") + "name=" + host : "";
        return ServerEntry.of(place, scheme + "://" + place + behind);
    }
}
