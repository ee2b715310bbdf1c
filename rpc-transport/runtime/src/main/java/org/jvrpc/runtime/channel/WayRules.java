package org.jvrpc.runtime.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.runtime.balance.LeastSecurity;
import org.jvrpc.runtime.resolve.ServerEntry;

/**
 * Which addresses of a server a client may use.
 *
 * @param own true when they stand in the target that the client's user gave; else a resolver said them, and they bear
 *     no options
 * @param least what the client asks of them
 * @param host this host's identity, empty when it is not known
 * @param options by scheme, what the client's user has put behind a resolver's addresses
 */
record WayRules(boolean own, LeastSecurity least, String host, Map<String, String> options) {

    /**
     * Finds those that may be used.
     *
     * @param refused gets why others may not
     * @return the nearest first
     */
    List<Way> waysOf(ServerEntry entry, List<String> refused) {
        List<Way> ways = new ArrayList<>();
        for (String address : entry.addresses()) {
            String why = refusal(entry, address);
            if (why == null) {
                ways.add(Way.of(address + (own ? "" : options.getOrDefault(Way.schemeOf(address), ""))));
            } else {
                refused.add(Way.withoutOptions(address) + " " + why);
            }
        }
        ways.sort(Way.NEAREST_FIRST);
        return ways;
    }

    private String refusal(ServerEntry entry, String address) {
        String scheme = Way.schemeOf(address);
        if (!least.allows(scheme)) {
            return "is below the client's least security " + least;
        }
        if (own) {
            return null;
        }
        if (address.indexOf('?') >= 0 || address.indexOf('#') >= 0) {
            return "has options, which are the client's to give";
        }
        if (scheme.equals("tls") && least != LeastSecurity.NONE && !namesTheServer(options.getOrDefault(scheme, ""))) {
            return "would prove that it is the host which the resolver says, whatever that is: addressOptions(\"tls\", "
                    + "\"name=…\") says what the service's servers prove";
        }
        if (scheme.equals("inproc")) {
            return "is of one process";
        }
        if (Way.of(address).local() && (host.isEmpty() || !host.equals(entry.attributes().get(ServerEntry.HOST)))) {
            return "is of another host";
        }
        return null;
    }

    private static boolean namesTheServer(String options) {
        return options.startsWith("?name=") || options.contains("&name=");
    }
}
