package org.jvrpc.samples.zookeeper;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.JvrpcServerCnxnFactory;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** A ZooKeeper server in this JVM and clients of it; all waits are bounded. */
public final class PluginServer implements AutoCloseable {

    public static final String JVRPC = "org.apache.zookeeper.ClientCnxnSocketJvrpc";
    public static final String NIO = "org.apache.zookeeper.ClientCnxnSocketNIO";
    private static final long BOUND_S = 30;
    private static final int TICK_MS = 500;
    private static final int SESSION_MS = 10_000;

    private final Path folder;
    private final List<ZooKeeper> clients = new ArrayList<>();
    private String clientTemplate;
    private ServerCnxnFactory factory;
    private ZooKeeperServer server;

    private PluginServer(Path folder) {
        this.folder = folder;
    }

    /** Starts one with the plugin, for so many clients. */
    public static PluginServer start(int mostClients) throws Exception {
        PluginServer made = new PluginServer(Files.createTempDirectory("zk-plugin"));
        made.serve(new JvrpcServerCnxnFactory(), 0, mostClients);
        return made;
    }

    /** Starts one with the plugin at an address. */
    public static PluginServer startAt(InetSocketAddress address) throws Exception {
        PluginServer made = new PluginServer(Files.createTempDirectory("zk-plugin"));
        File data = made.folder.toFile();
        try {
            made.serve(new ZooKeeperServer(data, data, TICK_MS), new JvrpcServerCnxnFactory(), address, 0);
        } catch (Exception e) {
            made.close();
            throw e;
        }
        return made;
    }

    /** Starts one without the plugin. */
    public static PluginServer startStock() throws Exception {
        PluginServer made = new PluginServer(Files.createTempDirectory("zk-stock"));
        made.serve(new NIOServerCnxnFactory(), 0, 0);
        return made;
    }

    /** What a test has a server of its own made of. */
    @FunctionalInterface
    public interface Maker {
        ZooKeeperServer make(FileTxnSnapLog log, int tickMs) throws IOException;
    }

    /** Starts one with the server's half that goes with a transport, a log and a server of the test's own. */
    static PluginServer start(String transport, Function<File, FileTxnSnapLog> log, Maker maker) throws Exception {
        PluginServer made = new PluginServer(Files.createTempDirectory("zk-own"));
        ServerCnxnFactory factory = transport.equals(JVRPC) ? new JvrpcServerCnxnFactory() : new NIOServerCnxnFactory();
        made.serve(maker.make(log.apply(made.folder.toFile()), TICK_MS), factory, local(0), 0);
        return made;
    }

    /** Starts one with the plugin and a server of the test's own. */
    public static PluginServer start(Maker maker) throws Exception {
        return start(JVRPC, folder -> {
            try {
                return new FileTxnSnapLog(folder, folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, maker);
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    private void serve(ServerCnxnFactory made, int port, int mostClients) throws Exception {
        File data = folder.toFile();
        serve(new ZooKeeperServer(data, data, TICK_MS), made, local(port), mostClients);
    }

    private void serve(ZooKeeperServer of, ServerCnxnFactory made, InetSocketAddress address, int mostClients)
            throws Exception {
        server = of;
        factory = made;
        factory.configure(address, mostClients);
        factory.startup(server);
    }

    /** Starts again at the same port with the same data, with the plugin. */
    public void restartWithPlugin() throws Exception {
        int port = port();
        factory.shutdown();
        serve(new JvrpcServerCnxnFactory(), port, 0);
    }

    /** Has clients that are made from now on reach it by a template of their own. */
    public PluginServer reachedBy(String template) {
        clientTemplate = template;
        return this;
    }

    public int port() {
        return factory.getLocalPort();
    }

    public String address() {
        return "127.0.0.1:" + port();
    }

    public ServerCnxnFactory factory() {
        return factory;
    }

    public ZooKeeperServer server() {
        return server;
    }

    /** A watcher that keeps events. */
    public static final class Events implements Watcher {

        private final BlockingQueue<WatchedEvent> events = new LinkedBlockingQueue<>();

        @Override
        public void process(WatchedEvent event) {
            events.add(event);
        }

        /** Waits for an event of a state; those before it are gone. */
        public WatchedEvent await(KeeperState state) throws InterruptedException {
            while (true) {
                WatchedEvent event = next();
                if (event.getState() == state) {
                    return event;
                }
            }
        }

        /** Waits for the next event. */
        public WatchedEvent next() throws InterruptedException {
            WatchedEvent event = events.poll(BOUND_S, TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("no event within s=" + BOUND_S);
            }
            return event;
        }
    }

    /** Returns a connected client over the plugin. */
    public ZooKeeper client() throws Exception {
        return client(JVRPC, new Events());
    }

    /** Returns a connected client over a transport. */
    public ZooKeeper client(String transport, Events events) throws Exception {
        ZooKeeper made = open(address(), transport, events);
        events.await(KeeperState.SyncConnected);
        return made;
    }

    /** Returns a client that connects. */
    public ZooKeeper open(String address, String transport, Events events) throws IOException {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, transport);
        if (clientTemplate != null) {
            config.setProperty(JvrpcAddress.PROPERTY, clientTemplate);
        }
        ZooKeeper made = new ZooKeeper(address, SESSION_MS, events, false, config);
        clients.add(made);
        return made;
    }

    /** Returns a client over the plugin that connects to where a test says. */
    ZooKeeper open(Hosts hosts, Events events) throws IOException {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, JVRPC);
        ZooKeeper made = new ZooKeeper("127.0.0.1:1", SESSION_MS, events, false, hosts, config);
        clients.add(made);
        return made;
    }

    /** Waits until something holds. */
    public static void until(String what, BooleanSupplier holds) {
        until(what, BOUND_S, holds);
    }

    /** Waits until something holds, so many seconds at most. */
    public static void until(String what, long boundS, BooleanSupplier holds) {
        long endNs = System.nanoTime() + boundS * 1_000_000_000L;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("did not happen within s=" + boundS + ": " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() throws IOException {
        for (ZooKeeper client : clients) {
            try {
                client.close();
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
        }
        factory.shutdown();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
