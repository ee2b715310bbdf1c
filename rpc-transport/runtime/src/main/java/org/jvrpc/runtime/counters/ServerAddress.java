package org.jvrpc.runtime.counters;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What OpenTelemetry's conventions call {@code server.address} and {@code server.port}. Immutable.
 *
 * @param address a host, or a name on this host; null where there is none to tell
 * @param port 0 where there is none
 */
public record ServerAddress(@Nullable String address, int port) {

    private static final Set<String> WITH_PORTS = Set.of("tcp", "tls", "roce", "rdma", "router", "dns", "dns+tls");

    /** Reads an address of a server, or a target of several: of {@code list:} and {@code zk://} what names them. */
    public static ServerAddress of(String address) {
        Objects.requireNonNull(address, "address");
        int scheme = address.indexOf("://");
        if (scheme < 0) {
            return new ServerAddress(null, 0);
        }
        String rest = address.substring(scheme + "://".length());
        int options = rest.indexOf('?');
        rest = options < 0 ? rest : rest.substring(0, options);
        String name = address.substring(0, scheme);
        if (WITH_PORTS.contains(name)) {
            return ofHost(rest);
        }
        boolean local = name.equals("shm") || name.equals("unix") || name.equals("inproc");
        return new ServerAddress(local ? rest : rest.substring(rest.lastIndexOf('/') + 1), 0);
    }

    private static ServerAddress ofHost(String rest) {
        int colon = rest.lastIndexOf(':');
        boolean port = colon >= 0 && rest.indexOf(']', colon) < 0;
        String host = port ? rest.substring(0, colon) : rest;
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        try {
            return new ServerAddress(bare, port ? Integer.parseInt(rest.substring(colon + 1)) : 0);
        } catch (NumberFormatException e) { // the client or the server says what is wrong with it
            return new ServerAddress(bare, 0);
        }
    }
}
