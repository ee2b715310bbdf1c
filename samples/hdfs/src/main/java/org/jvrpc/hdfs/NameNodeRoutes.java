package org.jvrpc.hdfs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways over jvRPC from one caller to one NameNode, in the order of {@value HdfsSettings#ADDRESS}: shared memory
 * only where the NameNode is on this host. Any thread.
 */
final class NameNodeRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(NameNodeRoutes.class);
    /** How long a caller leaves a way alone whose end did not serve it. */
    private static final long REFUSED_NS = 60_000_000_000L;

    /** A way, and whether it is closed to this caller. */
    private static final class Route {

        private final NameNodeLink link;
        private volatile boolean refused;
        private volatile long refusedNs;

        Route(NameNodeLink link) {
            this.link = link;
        }

        boolean isOpen() {
            if (refused && System.nanoTime() - refusedNs > REFUSED_NS) {
                refused = false;
            }
            return !refused;
        }
    }

    private final InetSocketAddress server;
    private final List<Route> routes = new ArrayList<>();

    /**
     * Takes the links.
     *
     * @throws IOException when a template makes no address
     */
    NameNodeRoutes(InetSocketAddress server, HdfsSettings settings, int timeoutMs, int maxResponseBytes)
            throws IOException {
        this.server = server;
        InetAddress host = server.getAddress();
        for (AddressTemplate template : settings.addresses()) {
            if (!template.isLocal() || Hosts.isOfThisHost(host)) {
                String address = template.at(host.getHostAddress(), server.getPort());
                routes.add(new Route(NameNodeLinks.take(new NameNodeLinks.Key(address, template.isLocal(), timeoutMs,
                        maxResponseBytes, settings.slots(), settings.idle()))));
            }
        }
    }

    /** Returns the connection of the best way that works now, or null when none does. Never waits for a far host. */
    ServerConnection ifConnected() {
        for (Route route : routes) {
            ServerConnection connection = route.isOpen() ? route.link.ifConnected() : null;
            if (connection != null) {
                return connection;
            }
        }
        return null;
    }

    /** Returns the connection of the best way that works. @throws IOException why the best one does not */
    ServerConnection connected() throws IOException {
        IOException first = null;
        for (Route route : routes) {
            try {
                return route.link.connected();
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        throw first != null ? first : new IOException("the NameNode at " + server + " is not on this host, and "
                + HdfsSettings.ADDRESS + " is an address of shared memory: give it an rdma:// or roce:// one, or set "
                + HdfsSettings.FALLBACK + "=true");
    }

    /** Closes the way of a connection to this caller for a time. */
    void refused(ServerConnection connection, String why) {
        for (Route route : routes) {
            if (route.link.key().address().equals(connection.address())) {
                LOG.info("{} does not serve this client: {}", connection.address(), why);
                route.refusedNs = System.nanoTime();
                route.refused = true;
            }
        }
    }

    /** Gives the links back. Once. */
    void close() {
        routes.forEach(route -> NameNodeLinks.give(route.link));
    }
}
