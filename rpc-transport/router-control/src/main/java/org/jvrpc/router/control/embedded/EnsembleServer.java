package org.jvrpc.router.control.embedded;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.SASLAuthenticationProvider;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.Logins;

/**
 * A server of ZooKeeper, on the loopback address unless another is named, by TLS alone, which lets in nobody but its
 * users. One in a process, as it is set by system properties, which {@link #close} sets back. Any thread.
 */
public final class EnsembleServer implements AutoCloseable {

    private static final int TICK_MS = 500;
    private static final int MOST_SESSION_MS = 60_000;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int BACKLOG = 50;
    private static final int SNAPSHOTS = 5;
    private static final int PURGE_HOURS = 24;

    private final EnsembleFolder folder;
    private final InetAddress bind;
    private final Map<String, String> before = new HashMap<>();
    private final String login;
    private final ServerCnxnFactory connections;
    private final DatadirCleanupManager cleaning;
    private boolean closed;

    private EnsembleServer(EnsembleFolder folder, InetAddress bind, int port)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.bind = bind;
        this.login = Logins.server(folder.users());
        File data = folder.data().toFile();
        this.cleaning = new DatadirCleanupManager(data, data, SNAPSHOTS, PURGE_HOURS);
        ServerCnxnFactory made = null;
        try {
            set("serverCnxnFactory", NettyServerCnxnFactory.class.getName());
            set("authProvider.sasl", SASLAuthenticationProvider.class.getName());
            set("sasl.serverconfig", login);
            set("enforce.auth.enabled", "true");
            set("enforce.auth.schemes", "sasl");
            set("ssl.keyStore.location", folder.keyFile().toString());
            set("ssl.keyStore.password", folder.keyPassword());
            set("ssl.keyStore.type", "PKCS12");
            set("ssl.clientAuth", "none");
            set("fips-mode", "false"); // in which there is no DIGEST-MD5
            ProviderRegistry.reset();
            made = ServerCnxnFactory.createFactory();
            made.configure(new InetSocketAddress(bind, port), MOST_CONNECTIONS, BACKLOG,
                    true);
            ZooKeeperServer server = new ZooKeeperServer(new FileTxnSnapLog(data, data), TICK_MS, "");
            server.setMaxSessionTimeout(MOST_SESSION_MS);
            made.startup(server);
            this.connections = made;
            cleaning.start();
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (made != null) {
                made.shutdown();
            }
            setBack();
            throw e;
        }
    }

    /** Starts a server. @param port 0: any. @throws IOException when it cannot be started */
    public static EnsembleServer start(EnsembleFolder folder, int port) throws IOException, InterruptedException {
        return start(folder, InetAddress.getLoopbackAddress(), port);
    }

    /** As above, at an address that other hosts reach, too. @param bind that the folder's certificate is for */
    public static EnsembleServer start(EnsembleFolder folder, InetAddress bind, int port)
            throws IOException, InterruptedException {
        return new EnsembleServer(folder, bind, port);
    }

    private void set(String name, String value) {
        String property = "zookeeper." + name;
        before.put(property, System.getProperty(property));
        System.setProperty(property, value);
    }

    private void setBack() {
        before.forEach((property, value) -> {
            if (value == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, value);
            }
        });
        ProviderRegistry.reset();
        Logins.remove(login);
    }

    /** Returns where it is. */
    public String address() {
        return bind.getHostAddress() + ":" + connections.getLocalPort();
    }

    /** Returns how a user comes to a cluster in it: what {@link Ensemble#parse} reads. */
    public String control(String cluster, String user) {
        return "zk://" + address() + "/" + cluster + "?auth-file=" + folder.authFile(user) + "&trust-file="
                + folder.trustFile();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            cleaning.shutdown();
            connections.shutdown();
            setBack();
        }
    }
}
