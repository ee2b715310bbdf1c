package org.jvrpc.samples.zookeeper;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.JvrpcServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** A JVM with a ZooKeeper server that has the plugin, to be killed; and a JVM with a client, to be killed as well. */
final class ServerProcess implements AutoCloseable {

    private static final String READY = "READY ";
    private final Process process;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** Starts a single server and waits until it serves. */
    static ServerProcess single(Path folder, int port) throws IOException {
        ServerProcess made = start(folder, "single", folder.toString(), Integer.toString(port));
        made.awaitReady();
        return made;
    }

    /** Starts a server of an ensemble by its configuration; who connects sees when it serves. */
    static ServerProcess ofEnsemble(Path folder, Path config) throws IOException {
        return start(folder, "ensemble", config.toString());
    }

    /** Starts a client that makes an ephemeral node and waits until it has. */
    static ServerProcess client(Path folder, String address, String path) throws IOException {
        ServerProcess made = start(folder, "client", address, path);
        made.awaitReady();
        return made;
    }

    private static ServerProcess start(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
                "-Dzookeeper.serverCnxnFactory=" + JvrpcServerCnxnFactory.class.getName(),
                "-Dzookeeper.admin.enableServer=false", "-Dzookeeper.4lw.commands.whitelist=*",
                "-D" + ShmFolder.PROPERTY + "=" + System.getProperty(ShmFolder.PROPERTY),
                "-Down.log=" + folder.resolve("server.log"), "-cp", System.getProperty("java.class.path"),
                ServerProcess.class.getName()));
        command.addAll(List.of(arguments));
        File output = folder.resolve("server.out").toFile();
        return new ServerProcess(new ProcessBuilder(command).redirectError(output).start());
    }

    private void awaitReady() throws IOException {
        BufferedReader reader = process.inputReader();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.startsWith(READY)) {
                return;
            }
        }
        throw new IOException("the process ended before it was ready");
    }

    /** Kills it at once, as the kernel would. */
    void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the process does not die");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }

    /** Ends with the test's JVM, however that ends: nobody else would kill it. */
    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // until the parent is gone
            }
        } catch (IOException e) {
            System.err.println(e);
        }
        Runtime.getRuntime().halt(3);
    }

    /** What runs in it. */
    public static void main(String[] args) throws Exception {
        Thread watch = new Thread(ServerProcess::endWithParent, "watch");
        watch.start();
        switch (args[0]) {
            case "single" -> {
                File folder = new File(args[1]);
                ServerCnxnFactory factory = ServerCnxnFactory.createFactory(
                        new InetSocketAddress("127.0.0.1", Integer.parseInt(args[2])), 100);
                factory.startup(new ZooKeeperServer(folder, folder, 500));
            }
            case "client" -> {
                PluginServer.Events events = new PluginServer.Events();
                ZKClientConfig config = new ZKClientConfig();
                config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, PluginServer.JVRPC);
                ZooKeeper client = new ZooKeeper(args[1], 4000, events, false, config);
                events.await(KeeperState.SyncConnected);
                client.create(args[2], new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            }
            default -> QuorumPeerMain.main(new String[] {args[1]});
        }
        System.out.println(READY);
        watch.join();
    }
}
