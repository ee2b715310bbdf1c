package org.jvrpc.samples.zookeeper;

import java.io.File;
import java.io.IOException;
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

/** A ZooKeeper server in this JVM and clients of it; all waits are bounded. */
public final class PluginServer implements AutoCloseable {

    public static final String JVRPC = "org.apache.zookeeper.ClientCnxnSocketJvrpc";
    public static final String NIO = "org.apache.zookeeper.ClientCnxnSocketNIO";
    private static final long BOUND_S = 30;
    private static final int TICK_MS = 500;

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

    /** Starts one without the plugin. */
    public static PluginServer startStock() throws Exception {
        PluginServer made = new PluginServer(Files.createTempDirectory("zk-stock"));
        made.serve(new NIOServerCnxnFactory(), 0, 0);
        return made;
    }

    private void serve(ServerCnxnFactory made, int port, int mostClients) throws Exception {
        File data = folder.toFile();
        server = new ZooKeeperServer(data, data, TICK_MS);
        factory = made;
        factory.configure(new InetSocketAddress("127.0.0.1", port), mostClients);
        factory.startup(server);
    }

    /** Starts again at the same port with the same data, with the plugin. */
    public void restartWithPlugin() throws Exception {
        int port = port();
        factory.shutdown();
        serve(new JvrpcServerCnxnFactory(), port, 0);
    }

    /** Has clients that are made from now on reach it by a template of their own. */
    PluginServer reachedBy(String template) {
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
        ZooKeeper made = new ZooKeeper(address, 6000, events, false, config);
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
