package org.jvrpc.watch.web;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jvrpc.watch.MetricsSource;

/**
 * An HTTP server for operators: the JDK's, with bounds. Four threads answer, 64 requests wait, further ones get a 503.
 * It answers under its own names only, lets pages load nothing from elsewhere, and takes posts with a seal alone.
 * It binds the loopback address unless told otherwise; it has no passwords and no TLS: who may reach its port may read.
 *
 * <p>The JDK's server has its time limits by system properties, which are read once a process: a request has to be
 * there within {@code sun.net.httpserver.maxReqTime} = 5 s and an answer taken within {@code maxRspTime} = 30 s, unless
 * these properties have other values already. Until then a slow client holds a thread: whoever can reach the port can
 * keep others waiting so long. Methods are called by any thread.
 */
public final class WatchServer implements AutoCloseable {

    private static final int BACKLOG = 128;
    private static final long METRICS_FRESH_NS = TimeUnit.SECONDS.toNanos(1);

    static {
        limit("sun.net.httpserver.maxReqTime", "5"); // seconds
        limit("sun.net.httpserver.maxRspTime", "30");
        limit("sun.net.httpserver.nodelay", "true"); // else an answer in two segments waits for the peer's delayed ACK
        limit("jdk.httpserver.maxConnections", "1000");
    }

    private final HttpServer server;
    private final Crowd crowd = new Crowd();
    private final Map<String, Route> routes = new ConcurrentHashMap<>();
    private final LongSupplier nowNs;

    private WatchServer(HttpServer server, Collection<String> names, LongSupplier nowNs) {
        this.server = server;
        this.nowNs = nowNs;
        server.setExecutor(crowd);
        server.createContext("/", new Front(new HostNames(names), routes));
    }

    private static void limit(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /**
     * Binds; {@link #start} begins to answer.
     *
     * @param host to bind, a name or an address; null: 127.0.0.1
     * @param port 0: any
     * @param names under which it may be asked besides localhost, {@code host} and literal addresses
     * @throws IOException if the address is not this host's or not free; the message has it
     */
    public static WatchServer bind(String host, int port, Collection<String> names) throws IOException {
        return bind(host, port, names, System::nanoTime);
    }

    static WatchServer bind(String host, int port, Collection<String> names, LongSupplier nowNs) throws IOException {
        Objects.checkIndex(port, 1 << 16);
        InetAddress address = host == null ? InetAddress.getByAddress(new byte[] {127, 0, 0, 1})
                : InetAddress.getByName(host);
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(address, port), BACKLOG);
        } catch (IOException e) {
            throw new IOException("cannot bind " + address.getHostAddress() + " port " + port + ": " + e.getMessage(),
                    e);
        }
        Collection<String> all = new ArrayList<>(names);
        if (host != null) {
            all.add(host);
        }
        return new WatchServer(server, all, nowNs);
    }

    /** Serves metrics for Prometheus at a path such as {@code /metrics}, read at most once a second, by one thread. */
    public WatchServer metrics(String path, MetricsSource source) {
        SharedBodies shared = new SharedBodies(1, Long.MAX_VALUE, METRICS_FRESH_NS, nowNs);
        return get(path, query -> shared.get("", () -> {
            PrometheusText text = new PrometheusText();
            source.write(text);
            return Body.of(PrometheusText.TYPE, text.toString().getBytes(StandardCharsets.UTF_8), Map.of());
        }));
    }

    /** Takes posts at a path: 204 taken; 400 no report; 401 the seal is wrong; 413 longer than 256 KB. */
    public WatchServer post(String path, Intake intake) {
        return add(path, new Route(null, intake));
    }

    WatchServer get(String path, Route.Responder responder) {
        return add(path, new Route(responder, null));
    }

    private WatchServer add(String path, Route route) {
        if (!path.startsWith("/") || routes.putIfAbsent(path, route) != null) {
            throw new IllegalArgumentException("path=" + path + " is taken, or begins without a slash");
        }
        return this;
    }

    /** Begins to answer. Once. */
    public WatchServer start() {
        server.start();
        return this;
    }

    /** Returns what is bound. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Returns where a browser finds it. */
    public String url() {
        InetAddress bound = address().getAddress();
        String host = bound.isAnyLocalAddress() ? "127.0.0.1" : bound.getHostAddress();
        return "http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address().getPort() + "/";
    }

    LongSupplier clock() {
        return nowNs;
    }

    /** Closes all connections, also those that wait for an answer. */
    @Override
    public void close() {
        server.stop(0);
        crowd.close();
    }
}
