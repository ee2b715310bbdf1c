package org.jvrpc.zookeeper;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses in znodes. They say where a server is, never how to trust it, which files to read or which interface to
 * use: a server's own options stay at home, and those that somebody wrote into a znode are refused.
 */
final class Addresses {

    private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9+.-]{0,31})://([^?#@ ]+)");
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[\\w.-]+):(\\d{1,5})");
    /** That lead to lists of servers, or into the client's own process. */
    private static final Set<String> FORBIDDEN = Set.of("zk", "list", "dns", "inproc");

    private Addresses() {
    }

    /** What other users of x-discovery look at: the host and a port of a server; 0 for no port. */
    record Place(String host, int port, int securePort) {
    }

    /** Returns what a server tells of one of its addresses: options are the client's to give. */
    static String published(String address) {
        int mark = address.indexOf('?');
        return mark < 0 ? address : address.substring(0, mark);
    }

    /** Fails unless an address may come from a znode. */
    static void check(String address) throws BadInstanceException {
        Matcher parts = FORM.matcher(address);
        if (!parts.matches() || FORBIDDEN.contains(parts.group(1))) {
            throw new BadInstanceException("address=" + address + " is not where a server may be, or has options");
        }
    }

    /** Returns the place in the first address that has a host and a port, by preference one of tcp and one of tls. */
    static Place place(List<String> addresses) {
        Place tcp = find(addresses, "tcp");
        Place tls = find(addresses, "tls");
        Place other = find(addresses, ".*");
        Place host = tcp != null ? tcp : tls != null ? tls : other;
        if (host == null) {
            return new Place(null, 0, 0);
        }
        return new Place(host.host, tcp == null && tls != null ? 0 : host.port, tls == null ? 0 : tls.port);
    }

    private static Place find(List<String> addresses, String scheme) {
        for (String address : addresses) {
            Matcher parts = FORM.matcher(address);
            Matcher at = HOST_AND_PORT.matcher(parts.matches() && parts.group(1).matches(scheme) ? parts.group(2) : "");
            if (at.matches()) {
                return new Place(at.group(1), Integer.parseInt(at.group(2)), 0);
            }
        }
        return null;
    }
}
